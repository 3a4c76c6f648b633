"""A licence is told by its text, else by the manifest; what is not known is not permissive."""

from pathlib import Path

import pytest

from pipelines.swe.repository.git import git, git_environment, run_git
from pipelines.swe.repository.licences import Licences, is_permissive, spdx_of_declaration
from pipelines.swe.repository.objects import open_objects

MIT = 'Permission is hereby granted, free of charge, to any person obtaining a copy. The Software is provided "AS IS".'
APACHE = "Apache License\nVersion 2.0, January 2004"
EITHER = "Licensed under either of\n\n- Apache License, Version 2.0\n- or MIT license\n\nat your option." + " " * 400
RUBY = (
    "You can redistribute it under either the terms of the\n2-clause BSDL (see the file BSDL), or the conditions below:"
)
GPL = "GNU GENERAL PUBLIC LICENSE\nVersion 3"


def licence(folder: Path, files: dict[str, str]) -> str:
    """The licence of a repository with just these files."""
    repo = folder / "repo.git"
    run_git(("init", "-q", "--bare", str(repo)), git_environment(repo))
    blobs = {
        name: git(repo, "hash-object", "-w", "--stdin", data=text.encode()).decode().strip()
        for name, text in files.items()
    }
    rows = "".join(f"100644 blob {blob}\t{name}\n" for name, blob in blobs.items())
    tree = git(repo, "mktree", data=rows.encode()).decode().strip()
    with open_objects(repo) as known:
        return Licences(known).spdx_at(tree)


@pytest.mark.parametrize(
    ("files", "spdx"),
    [
        ({"LICENSE.md": MIT}, "MIT"),
        ({"LICENCE.txt": APACHE}, "Apache-2.0"),
        ({"COPYING": GPL}, "GPL"),
        ({"COPYING": RUBY, "BSDL": "Redistribution and use", "a.gemspec": 's.licenses = ["Ruby"]'}, "Ruby"),
        ({"LICENSE-MIT": MIT, "LICENSE-APACHE": APACHE}, "Apache-2.0 OR MIT"),
        ({"COPYING": "Under the MIT licence or Apache, as you like.", "LICENSE-MIT": MIT}, "MIT"),
        ({"COPYRIGHT": EITHER, "LICENSE-MIT": MIT, "LICENSE-APACHE": APACHE}, "Apache-2.0 OR MIT"),
        ({"LICENSE": MIT, "LICENSE-docs": GPL}, ""),
        ({"LICENSE": "All rights reserved. " * 40, "LICENSE-MIT": MIT}, ""),
        ({"package.json": '{"name": "x", "license": "ISC"}'}, "ISC"),
        ({"Cargo.toml": '[package]\nlicense = "MIT OR Apache-2.0"\n'}, "Apache-2.0 OR MIT"),
        ({"pyproject.toml": '[project]\nlicense = { text = "BSD-3-Clause" }\n'}, "BSD-3-Clause"),
        ({"composer.json": '{"license": ["MIT"]}'}, "MIT"),
        ({"lib.gemspec": 'spec.license = "MIT"'}, "MIT"),
        ({"LICENSE": "Ask us. " * 80, "package.json": '{"license": "SEE LICENSE IN LICENSE"}'}, ""),
        ({"LICENSE": "Public Domain.\n"}, "LicenseRef-public-domain"),
        ({"LICENSE": "Not in the public domain: all rights are ours. " * 4}, ""),
        ({"README.md": "MIT"}, ""),
    ],
)
def test_a_repository_has_the_licence_its_files_say(files: dict[str, str], spdx: str, tmp_path: Path) -> None:
    assert licence(tmp_path, files) == spdx


def test_a_choice_is_permissive_when_one_of_it_is() -> None:
    assert is_permissive("GPL OR MIT")
    assert not is_permissive("GPL")
    assert not is_permissive("")


def test_words_that_are_not_all_known_declare_nothing() -> None:
    assert spdx_of_declaration("(MIT OR Apache-2.0)") == "Apache-2.0 OR MIT"
    assert spdx_of_declaration("MIT AND Custom") == ""
