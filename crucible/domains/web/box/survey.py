"""Runs in the box of an application: says its files, what manifests say, which programs have which mark, and which
addresses of certain hosts stand in its texts.

    python3 -I survey.py <request   {"skipped": [...], "marks": {name: pattern}, "hosts": [...]}

Prints one JSON object. Everything is bounded: the files are an attempt's, and may be many, large or no text.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

MOST_FILES, MOST_PROGRAMS, TEXT_BYTES, DEEPEST = 1500, 200, 200_000, 6
LOCK_BYTES = 2_000_000
CONDITION = re.compile(r"sys_platform|platform_system|os_name|python_version|python_full_version|'python'")
# matches: {'version': '*', 'markers': 'sys_platform == "win32   {'version': '>=4', 'python': '<3.11'}
"""What is needed on some systems, or in some versions of Python."""
LIMIT = re.compile(r"(?:~=|===?|!=|>=|<=|>|<)\d[\w.*+!-]*")
# matches: >=1.2  ==1.2.*  ~=1.4.2rc1
MOST_MANIFESTS, MOST_PACKAGES, MOST_SCRIPTS, PATH_CHARS = 20, 300, 50, 200
MOST_TEXTS, MOST_ADDRESSES, ADDRESS_CHARS = 400, 60, 300
MOST_PAGES, MOST_LINKS = 50, 100
LINK = re.compile(r"""(?i)\b(?:src|href|action)\s*=\s*["']([^"'#?{}<>\s]+)""")
# matches: src="../scripts/app.js   href='style.css   action="game.html
PICTURED = re.compile(r"""url\(\s*["']?(\.\.?/[^"')#?\s]+)|@import\s+["'](\.\.?/[^"'#?]+)""")
# matches: url("../images/sky.png   @import "../base.css
PAGES = (".html", ".htm")
PROGRAMS = (".py", ".js", ".mjs", ".cjs", ".ts")
TEXTS = (
    ".html", ".htm", ".xhtml", ".css", ".scss", ".sass", ".less", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".vue",
    ".svelte", ".astro", ".py", ".php", ".ejs", ".hbs", ".handlebars", ".mustache", ".pug", ".jade", ".njk", ".j2",
    ".jinja", ".jinja2", ".twig", ".erb", ".liquid", ".tmpl",
)  # fmt: skip
PROJECTS = ("pyproject.toml", "Pipfile")
"""What says which packages a program in Python needs, beside requirements.txt."""
LOCKS = ("yarn.lock", "pnpm-lock.yaml")
TELLING = (*PROGRAMS, *LOCKS, ".html", ".htm", ".json", ".toml", ".sh", "requirements.txt", "Pipfile", "Procfile")


def list_files(skipped: list[str]) -> list[str]:
    """The files below the working folder: those that tell something first, then the less deep, by name."""
    found: list[str] = []
    for folder, folders, names in os.walk("."):
        depth = folder.count("/")
        folders[:] = sorted(name for name in folders if name not in skipped and depth < DEEPEST)
        found += [os.path.normpath(f"{folder}/{name}") for name in sorted(names)]
        if len(found) > 20 * MOST_FILES:
            break
    named = [path for path in found if len(path) <= PATH_CHARS and path.isprintable()]  # others nobody has to open
    return sorted(named, key=lambda path: (not path.endswith(TELLING), path.count("/"), path))[:MOST_FILES]


def find_named(files: list[str], name: str) -> list[str]:
    """The files of that name."""
    return [path for path in files if Path(path).name == name][:MOST_MANIFESTS]


def read_text(path: str, most: int = TEXT_BYTES) -> str:
    """The text of a plain file; empty for anything else."""
    if not Path(path).is_file():
        return ""
    with Path(path).open("rb") as file:
        return file.read(most).decode(errors="replace")


def read_package(path: str) -> dict[str, object]:
    """The scripts and packages that a package.json names; nothing where it cannot be read."""
    try:
        package = json.loads(read_text(path) or "{}")
        wanted = [*package.get("dependencies", {}), *package.get("devDependencies", {})]
        scripts = [*package.get("scripts", {}).items()][:MOST_SCRIPTS]
        return {
            "packages": [str(name)[:PATH_CHARS] for name in wanted[:MOST_PACKAGES]],
            "scripts": {str(name)[:PATH_CHARS]: str(text)[:1000] for name, text in scripts},
        }
    except (ValueError, AttributeError, TypeError):
        return {}


def read_requirements(path: str) -> list[str]:
    """The packages that a pyproject.toml or a Pipfile asks for, as pip is told of them."""
    try:
        project = tomllib.loads(read_text(path))
        pipfile = project.get("packages", {})  # a version, or a table with one: "~=1.0", "*", {version = "~=1.0"}
        versions = {name: spec if isinstance(spec, str) else spec.get("version", "*") for name, spec in pipfile.items()}
        poetry = project.get("tool", {}).get("poetry", {}).get("dependencies", {})
        poetry.pop("python", None)
        locked = read_lock(str(Path(path).with_name("poetry.lock")), [*poetry]) if poetry else {}
        wanted = [*project.get("project", {}).get("dependencies", []), *locked.values()]
        wanted += [describe_poetry(name, asked) for name, asked in poetry.items() if name_plainly(name) not in locked]
        wanted += [name if version == "*" else f"{name}{version}" for name, version in versions.items()]
        return [str(name)[:PATH_CHARS] for name in wanted[:MOST_PACKAGES]]
    except (ValueError, AttributeError, TypeError):
        return []


def read_lock(path: str, asked: list[str]) -> dict[str, str]:
    """What Poetry has locked of these packages and of all that they need everywhere, as pip is told, by name; nothing
    where the lock cannot be read. What some systems or versions of Python need alone is left to pip."""
    try:
        packages = tomllib.loads(read_text(path, LOCK_BYTES)).get("package", [])
        locked = {name_plainly(package["name"]): package for package in packages}
        waiting, wanted = [name_plainly(name) for name in asked], dict[str, str]()
        while waiting:
            package = locked.get(name := waiting.pop())
            if package and name not in wanted:
                wanted[name] = f"{name}=={package['version']}"
                needs = package.get("dependencies", {}).items()
                waiting += [name_plainly(need) for need, spec in needs if not CONDITION.search(str(spec))]
        return dict(sorted(wanted.items()))
    except (ValueError, AttributeError, TypeError, KeyError):
        return {}


def name_plainly(name: str) -> str:
    """The name of a package as all its ways to be written come to."""
    return re.sub(r"[-_.]+", "-", name).lower()


def describe_poetry(name: str, asked: object) -> str:
    """A package that Poetry asks for, in pip's words: any version of it where Poetry's limits are none of pip's."""
    table: dict[str, Any] = asked if isinstance(asked, dict) else {"version": asked if isinstance(asked, str) else "*"}
    closed = re.sub(r"(?<=[~^=!<>])\s+", "", str(table.get("version", "*")))
    limits = [] if "|" in closed else [limit_version(each) for each in re.split(r"[,\s]+", closed.strip())]
    extras = ",".join(table.get("extras", ()))
    return (f"{name}[{extras}]" if extras else name) + ",".join(filter(None, limits))


def limit_version(asked: str) -> str:
    """One limit of Poetry's, as pip knows it; empty where it has none of the kind. `^1.2.3` goes up to the next first
    number (of `^0.2.3` the second), `~1.2.3` to 1.3."""
    numbers = [int(number) for number in re.findall(r"\d+", asked)]
    limit = asked if re.match(r"[~=!<>]=|[<>]", asked) else f"=={asked.lstrip('=')}"
    if numbers and asked[0] in "^~" and not asked.startswith("~="):
        last = len(numbers) - 1
        grows = min(1, last) if asked[0] == "~" else next((at for at, number in enumerate(numbers) if number), last)
        limit = f">={asked[1:]}"
        end = f"<{'.'.join(map(str, [*numbers[:grows], numbers[grows] + 1]))}"
        return f"{limit},{end}" if LIMIT.fullmatch(limit) else ""
    return limit if LIMIT.fullmatch(limit) and not limit.endswith(".x") else ""


def find_marks(path: str, marks: dict[str, str]) -> dict[str, str]:
    """The marks that a program has, each with the variable that it names, if any."""
    text = read_text(path)
    found = {name: re.search(pattern, text) for name, pattern in marks.items()}
    return {name: (match.groupdict().get("variable") or "") for name, match in found.items() if match}


def find_links(path: str) -> list[str]:
    """What a page asks for or leads to of its own host, each once."""
    found = dict.fromkeys(LINK.findall(read_text(path)))
    own = [link for link in found if ":" not in link and not link.startswith("//") and len(link) <= PATH_CHARS]
    return own[:MOST_LINKS]


def find_pictured(path: str) -> list[str]:
    """What a style sheet asks for by a path that leads elsewhere from its own folder, each once."""
    found = dict.fromkeys(link or sheet for link, sheet in PICTURED.findall(read_text(path)))
    return [link for link in found if len(link) <= PATH_CHARS][:MOST_LINKS]


def find_addresses(files: list[str], hosts: list[str]) -> list[str]:
    """The addresses of these hosts that stand in pages, templates, style sheets and programs, each once."""
    names = "|".join(map(re.escape, hosts))
    pattern = re.compile(rf"""(?:https?:)?//(?:{names})(?:[/?][^\s"'`<>()\\]*)?(?![\w.-])""")
    # matches: https://unpkg.com/vue@3   //code.jquery.com/jquery-3.6.0.min.js
    texts = [path for path in files if path.endswith(TEXTS)][:MOST_TEXTS]
    found: dict[str, None] = {}
    for path in texts:
        found |= dict.fromkeys(text for text in pattern.findall(read_text(path)) if len(text) <= ADDRESS_CHARS)
        if len(found) >= MOST_ADDRESSES:
            break
    return list(found)[:MOST_ADDRESSES]


def main() -> None:
    request = json.load(sys.stdin)
    files = list_files(request["skipped"])
    programs = [path for path in files if path.endswith(PROGRAMS) and not path.endswith(".min.js")][:MOST_PROGRAMS]
    answer = {
        "files": files,
        "manifests": {path: read_package(path) for path in find_named(files, "package.json")},
        "requirements": {path: read_requirements(path) for name in PROJECTS for path in find_named(files, name)},
        "processes": {path: read_text(path)[:4000] for path in find_named(files, "Procfile")},
        "pages": {path: find_links(path) for path in [each for each in files if each.endswith(PAGES)][:MOST_PAGES]},
        "styles": {
            path: find_pictured(path) for path in [each for each in files if each.endswith(".css")][:MOST_PAGES]
        },
        "addresses": find_addresses(files, request["hosts"]),
        "marks": {path: marks for path in programs if (marks := find_marks(path, request["marks"]))},
    }
    print(json.dumps(answer))


main()
