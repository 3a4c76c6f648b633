"""The change of an instance as commits, in a repository of ours that borrows the clone's objects.

An instance has patches where a pull request has a merge. Made into commits, everything that looks at a pull request
can look at it. The user's clone is read and never written.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from crucible.errors import Rejected
from crucible.record import Record, digest
from pipelines.swe.imports.instance import Instance
from pipelines.swe.model import ChangedFile, PullRequest
from pipelines.swe.repository import changes, history, origins
from pipelines.swe.repository.git import GitFailed, git, git_environment, run_git
from pipelines.swe.repository.licences import Licences
from pipelines.swe.repository.objects import open_objects

AUTHOR = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "import"), ("EMAIL", "import@localhost"), ("DATE", "@1704067200 +0000"))
}
"""Who commits, and when: always the same, so that the same instance gives the same commit ids."""


class Change(Record):
    """The commits of an instance."""

    base: str
    fixed: str
    """The base with the patch."""
    merged: str
    """The base with the patch and the tests."""


def borrowing_repository(clone: Path, cache: Path) -> Path:
    """Our own repository that borrows the clone's objects. Made once; what another process made first is as good."""
    place = cache.resolve() / "imports"
    place.mkdir(parents=True, exist_ok=True)
    target = place / f"{clone.resolve().name}-{digest(str(clone.resolve()))[:12]}.git"
    if not (target / "HEAD").exists():
        with tempfile.TemporaryDirectory(dir=place) as scratch:
            _move_unless_there(_create_repository(clone, Path(scratch) / "new.git"), target)
    return target


def _move_unless_there(repo: Path, target: Path) -> None:
    """Move the repository to its place at once, unless a neighbour was faster."""
    try:
        repo.rename(target)
    except OSError:
        if not (target / "HEAD").exists():
            raise


def _create_repository(clone: Path, target: Path) -> Path:
    """A bare repository with the clone's newest commit on its main line and none of its objects copied. A written
    history is built instead."""
    if history.is_written_history(clone):
        return history.build_repository(clone, target)
    with origins.open_repository(str(clone)) as repo:
        form = git(repo, "rev-parse", "--show-object-format").decode().strip()
        where = git(repo, "rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "shallow")
        tip = git(repo, "rev-parse", "HEAD^{commit}").decode().strip()
    held, shallow = where.decode().splitlines()
    env = git_environment(target)
    run_git(("init", "--quiet", "--bare", "--template=", "-b", "main", f"--object-format={form}", str(target)), env)
    (target / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (target / "objects" / "info" / "alternates").write_text(f"{held}\n")
    if Path(shallow).is_file():
        (target / "shallow").write_bytes(Path(shallow).read_bytes())
    run_git((f"--git-dir={target}", "update-ref", "refs/heads/main", tip), env)
    return target


def commit_patches(repo: Path, instance: Instance) -> Change:
    """The instance's patches as commits: the same instance gives the same ids. Rejected where the clone lacks the base
    or a patch does not apply."""
    try:
        base = git(repo, "rev-parse", "--verify", "--quiet", f"{instance.base_commit}^{{commit}}").decode().strip()
    except GitFailed as missing:
        raise Rejected("commit_missing", f"the clone has no commit {instance.base_commit}") from missing
    with tempfile.TemporaryDirectory() as scratch:
        env = git_environment(repo) | AUTHOR | {"GIT_DIR": str(repo), "GIT_INDEX_FILE": str(Path(scratch) / "index")}
        run_git(("read-tree", base), env)
        fixed = _commit_patch(instance.patch, "patch", base, env)
        merged = _commit_patch(instance.test_patch, "test_patch", fixed, env)
    return Change(base=base, fixed=fixed, merged=merged)


def _commit_patch(patch: str, which: str, tip: str, env: dict[str, str]) -> str:
    """The commit with a patch on top of another commit; that commit itself for an empty patch."""
    if not patch.strip():
        return tip
    try:
        run_git(("apply", "--cached", "--whitespace=nowarn", "-"), env, data=patch.encode())
        tree = run_git(("write-tree",), env).decode().strip()
        return run_git(("commit-tree", tree, "-p", tip), env, data=f"{which}\n".encode()).decode().strip()
    except (GitFailed, UnicodeEncodeError) as refused:
        raise Rejected("patch_does_not_apply", f"{which}: {refused}"[:300]) from refused


def pull_request_of(instance: Instance, clone: Path, cache: Path) -> PullRequest:
    """The instance as a pull request of our repository."""
    repo = borrowing_repository(clone, cache)
    change = commit_patches(repo, instance)
    web = origins.web_address(clone) if not history.is_written_history(clone) else ""
    with open_objects(repo) as store:
        licence = Licences(store).spdx_at(change.base)
    return pull_request_from_row(instance).model_copy(
        update={
            "base_commit": change.base,
            "merge_commit": change.merged,
            "files": _files(repo, change),
            "licence": licence,
            "url": f"{web}/pull/{instance.number}" if web and instance.number else "",
            "origin": str(repo),
        }
    )


def pull_request_from_row(instance: Instance) -> PullRequest:
    """The pull request as far as the row itself describes it: without commits, files and a repository."""
    return PullRequest(
        repo=instance.repo,
        number=instance.number,
        title=instance.problem_statement.strip().partition("\n")[0],
        issue=instance.problem_statement,
        merged_at=instance.created_at,
        base_commit=instance.base_commit,
        merge_commit="",
        patch=instance.patch,
        test_patch=instance.test_patch,
        licence=instance.exported.licence,
        author=instance.exported.author,
        url=instance.exported.url,
        origin="",
    )


def _files(repo: Path, change: Change) -> tuple[ChangedFile, ...]:
    """The files that the patch and the test patch change. Which of the two a file is in decides whether it is a test:
    not its name."""
    source = [
        file.model_copy(update={"sort": "source"}) if file.sort == "test" else file
        for file in changes.changed_files(repo, change.base, change.fixed)
    ]
    tests = changes.changed_files(repo, change.fixed, change.merged)
    return (*source, *(file.model_copy(update={"sort": "test"}) for file in tests))
