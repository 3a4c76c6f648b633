"""Invented git repositories: commands that make one with the branches, tags and files that a suggestion speaks of.

The same seed gives the same commands; another seed gives other files, contents, messages and numbers of commits.
"""

from __future__ import annotations

import random
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pipelines.terminal.commands.shell import Script, read_script
from pipelines.terminal.scenes.invent import invent_text, vocabulary

TICK = """export GIT_TEMPLATE_DIR=
ticks=0
git() {
    ticks=$((ticks + 1))
    export GIT_AUTHOR_DATE="$((1704067200 + 3600 * ticks)) +0000"
    export GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE"
    command git "$@"
}
"""
"""Gives every commit of a set-up a date of its own, always the same, and repositories without git's samples."""
MISSING_REVISION = re.compile(
    r"(?i:pathspec|ambiguous argument|bad revision|invalid reference:|branch named|branch|tag|invalid upstream|"
    r"bad object|valid object name:?|unknown revision|invalid object name|refname) "
    r"'?(?::\(,prefix:0\))?(?P<first>[\w./~^@{}-]+)'?"
    r"|merge: (?P<second>[\w./-]+) - not something|'(?P<third>[\w./-]+)' is not a commit"
)
# matches: error: pathspec 'topic' did not match any file(s)   fatal: bad revision 'v1.0'   merge: topic - not something
NO_REPOSITORY = "not a git repository"
VERSION = re.compile(r"v?\d+(?:\.\d+)*(?:-\w+)?")  # matches: v1.2
FILE = re.compile(r"[\w-][\w/-]*\.[A-Za-z]\w{0,5}|README|LICENSE|Makefile|\.gitignore")  # matches: src/app.py
OPTION_VALUE = re.compile(r"--(?P<option>grep|author)[= ]['\"]?(?P<value>[\w@. -]+?)['\"]?(?:\s|$)")
# matches: --grep=parser   --author "Ann"
RENAMES_CURRENT = re.compile(r"\bgit branch -[mM] (?P<name>[\w/-]+)\s*$", re.MULTILINE)  # matches: git branch -M main
STASHES = re.compile(r"\bgit stash (?:list|show|clear|drop|pop|apply|branch)\b")  # matches: git stash show -p
MAKES_STASH = re.compile(r"\bgit stash(?: push| save| -|\s*$|\s*[;&])", re.MULTILINE)  # matches: git stash -u
TAKES_STASH = re.compile(r"\bgit stash (?:pop|apply|branch)\b")  # matches: git stash pop
HAS_REMOTE = re.compile(r"\bgit remote (?!add\b)|\borigin/")  # matches: git remote -v   origin/main
TAKEN_IN = re.compile(r"\bgit (?:merge|cherry-pick)\s+([^\n;|&]*)")  # matches: git merge v1.2
NEEDS_CLEAN = frozenset({"rebase", "merge", "cherry-pick", "revert", "switch", "bisect", "checkout"})
"""What git refuses to do, or may, while files differ from the last commit."""
LEAST_COMMITS, MOST_COMMITS = 5, 8


class Wanted(NamedTuple):
    """What a repository must have for a suggestion to run in it."""

    files: Mapping[str, str] = {}
    """Tracked files by name; an empty content is invented."""
    branches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def calls_git(script: str) -> bool:
    """Whether commands work in a repository that is there already."""
    subcommands = git_subcommands(read_script(script))
    return bool(subcommands) and subcommands[0] not in ("init", "clone", "--version", "config")


def git_subcommands(script: Script) -> list[str]:
    """What git is told to do, in order."""
    return [
        next((word for word in call.arguments if not word.startswith("-")), "")
        for call in script.calls
        if call.name == "git"
    ]


def add_wanted(wanted: Wanted, complaints: str, script: str = "") -> Wanted | None:
    """With the branches, tags and files that git complained to miss; None when it missed none. What stands after `--`
    in the script is a file, whatever it is called."""
    missing = [name for name in _missing_names(complaints) if name not in (*wanted.branches, *wanted.tags)]
    missing = [name for name in missing if name not in wanted.files]
    if not missing:
        return None
    paths = {word for line in script.splitlines() for word in line.partition(" -- ")[2].split()}
    files = {name: "" for name in missing if FILE.fullmatch(name) or name in paths}
    tags = [name for name in missing if VERSION.fullmatch(name) and name not in files]
    branches = [name for name in missing if name not in files and name not in tags]
    return Wanted({**wanted.files, **files}, (*wanted.branches, *branches), (*wanted.tags, *tags))


def _missing_names(complaints: str) -> list[str]:
    found = [next(filter(None, match.groups())) for match in MISSING_REVISION.finditer(complaints)]
    names = [re.split(r"[~^@:]", name)[0] for each in found for name in re.split(r"\.{2,3}", each)]
    return [name for name in dict.fromkeys(names) if name and name != "HEAD"]


def repository_commands(script: str, wanted: Wanted, seed: int) -> str:
    """Commands that make a repository in an empty folder."""
    chance = random.Random(f"repository {seed}")
    return "\n".join(_Writer(script, wanted, chance, seed).lines()) + "\n"


class _Writer:
    """Writes the commands of one repository."""

    def __init__(self, script: str, wanted: Wanted, chance: random.Random, seed: int) -> None:
        self.script, self.wanted, self.chance, self.seed = script, wanted, chance, seed
        self.main = "master" if re.search(r"\bmaster\b", script) else "main"
        if (match := RENAMES_CURRENT.search(script)) and match["name"] == self.main:
            self.main = "master" if self.main == "main" else "main"
        words = chance.sample(vocabulary().words, 6)
        names = [*wanted.files, "README.md", f"src/{words[0]}.txt", f"{words[1]}.txt", f"docs/{words[2]}.md"]
        self.files = list(dict.fromkeys(names))
        self.spare = words[3:]
        taken = " ".join(TAKEN_IN.findall(script))
        self.side_tags = [tag for tag in wanted.tags if tag in taken.split()]
        """Tags that are merged: of commits that the main branch does not have."""

    def lines(self) -> Iterator[str]:
        yield f"git init -q -b {self.main}"
        for number, name in enumerate(self.files):
            yield from self._write(name, self.wanted.files.get(name) or invent_text(name, self.seed + number))
        yield from self._commit("Start")
        yield from self._history()
        yield from self._branches()
        if HAS_REMOTE.search(self.script):
            yield f"git remote add origin https://example.org/{self.spare[0]}.git"
        if STASHES.search(self.script) and not MAKES_STASH.search(self.script):
            yield from self._stashes()
            if TAKES_STASH.search(self.script):  # it is refused while files differ
                return
        if not NEEDS_CLEAN & set(git_subcommands(read_script(self.script))) or " -- " in self.script:
            yield from self._uncommitted()

    def _history(self) -> Iterator[str]:
        """Commits on the main branch: files grow, one is new; tags and what is searched for are spread over them."""
        count = self.chance.randint(LEAST_COMMITS, MOST_COMMITS)
        own_tags = [tag for tag in self.wanted.tags if tag not in self.side_tags]
        tags = dict(zip(self._places(count, len(own_tags)), own_tags, strict=False))
        sought = [(match["option"], match["value"]) for match in OPTION_VALUE.finditer(self.script)]
        special = dict(zip(self.chance.sample(range(count), min(count, 2 * len(sought))), sought * 2, strict=False))
        for number in range(count):
            name = self.chance.choice(self.files)
            if number == count // 2:
                name = f"src/{self.spare[0]}.txt"
            option, value = special.get(number, ("", ""))
            yield f"mkdir -p {shlex.quote(name.rpartition('/')[0] or '.')}"
            yield f"echo {self._words()} >> {shlex.quote(name)}"
            message = f"{self._words()} {value}" if option == "grep" else self._words()
            author = f"{value} <someone@example.org>" if option == "author" else ""
            yield from self._commit(message, author)
            if number in tags:
                yield f"git tag {tags[number]}"

    def _places(self, count: int, tags: int) -> list[int]:
        """At which commits tags stand, in their order."""
        return sorted(self.chance.sample(range(count), min(count, tags)))

    def _branches(self) -> Iterator[str]:
        merged = re.search(r"branch (?:-d|--delete|--merged)|--merged", self.script)
        for name in (*self.wanted.branches, f"{self.spare[1]}-work"):
            if name == self.main:
                continue
            if name.startswith("origin/"):
                yield f"git update-ref refs/remotes/{name} HEAD~1"
                continue
            file = f"{name.replace('/', '-')}.txt"
            yield f"git checkout -q -b {name} HEAD~{self.chance.randint(1, 3)}"
            for _ in range(self.chance.randint(2, 3)):
                yield f"echo {self._words()} >> {file}"
                yield from self._commit(self._words())
            if name not in self.wanted.branches:
                yield from (f"git tag {tag}" for tag in self.side_tags)
            yield f"git checkout -q {self.main}"
            if merged and name in self.wanted.branches:
                yield f"git merge -q --no-edit {name}"

    def _stashes(self) -> Iterator[str]:
        """Changes that somebody has put away, each of one file."""
        for name in self.chance.sample(self.files, 2):
            yield f"echo {self._words()} >> {shlex.quote(name)}"
            yield f"git stash push -q -m {shlex.quote(self._words())}"

    def _uncommitted(self) -> Iterator[str]:
        """What somebody has not committed yet: a changed file, a staged one, and one that git does not know."""
        yield f"echo {self._words()} >> {shlex.quote(self.files[0])}"
        yield f"echo {self._words()} >> {shlex.quote(self.files[-1])}"
        yield f"git add {shlex.quote(self.files[-1])}"
        yield f"echo {self._words()} > {self.spare[2]}.tmp"

    def _write(self, name: str, text: str) -> Iterator[str]:
        if "/" in name:
            yield f"mkdir -p {shlex.quote(name.rpartition('/')[0])}"
        yield f"printf '%s' {shlex.quote(text)} > {shlex.quote(name)}"

    def _commit(self, message: str, author: str = "") -> Iterator[str]:
        by = f" --author={shlex.quote(author)}" if author else ""
        yield "git add -A"
        yield f"git commit -q{by} -m {shlex.quote(message)}"

    def _words(self) -> str:
        words = self.chance.choice(vocabulary().words), self.chance.choice(vocabulary().names)
        return f"{words[0]} {words[1]} {self.chance.randint(1, 99)}"
