"""A Dockerfile as a recipe: what its instructions do, in order, as commands over a base.

The build's context goes in as one archive, so that COPY stands where it stood among the other commands. What a
recipe cannot say (several stages, remote files, mounts, other shells) is refused with its line.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from crucible.errors import Rejected

CONTEXT = "/opt/.harbor-context"
"""Where the context lies while the image is built."""
IGNORED = frozenset({"LABEL", "EXPOSE", "CMD", "ENTRYPOINT", "HEALTHCHECK", "MAINTAINER", "STOPSIGNAL", "VOLUME"})
"""They say how a container is started, which the world decides."""
VARIABLE = re.compile(r"\$(?:\{(\w+)(?::-([^}]*))?\}|(\w+))")  # matches: $HOME  ${HOME}  ${VERSION:-1.5}
ARCHIVE = re.compile(r"\.(tar|tgz|tar\.\w+|tbz2?|txz)$")  # matches the end of: data.tar.gz
HEREDOC = re.compile(r"<<-?\s*['\"]?[A-Za-z_]\w*['\"]?\s*$")  # matches the end of: cat <<'EOF'
PAIR = re.compile(r"""(\w[\w.-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s\\]|\\.)*)""")  # matches: UNIT="one euro"
FLAGS = re.compile(r"(?:--\S+\s+)*")  # matches the start of: --chown=bob --chmod=755 a.txt /app/


@dataclass
class Build:
    """What a Dockerfile does, as far as a recipe can say it."""

    base: str = ""
    commands: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "root"
    copies: bool = False
    """Whether the context is used."""
    arguments: dict[str, str] = field(default_factory=dict)

    @property
    def variables(self) -> Mapping[str, str]:
        return self.arguments | self.environment


def read_dockerfile(text: str, files: frozenset[str]) -> Build:
    """The build that a Dockerfile describes; `files` are the paths of its context. Rejected when it says more than a
    recipe can."""
    build = Build()
    for word, rest in _instructions(text):
        if word in IGNORED:
            continue
        if word not in INSTRUCTIONS or (not build.base and word not in ("FROM", "ARG")):
            raise refused(word, rest)
        INSTRUCTIONS[word](build, rest, files)
    if not build.base:
        raise refused("FROM", "is missing")
    return build


def refused(word: str, rest: str) -> Rejected:
    """The rejection of an instruction that a recipe cannot say."""
    return Rejected("dockerfile_says_more_than_a_recipe", f"{word} {rest}"[:300])


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction's word and the rest of it, continued lines joined, comments left out."""
    if re.match(r"\s*#\s*escape\s*=\s*`", text):  # matches: # escape=`
        raise refused("# escape", "`")
    pending = ""
    for line in text.splitlines():
        if line.lstrip().startswith("#") or (pending and not line.strip()):
            continue
        if line.rstrip().endswith("\\"):
            pending += line.rstrip()[:-1] + "\n"
            continue
        word, _, rest = (pending + line).strip().partition(" ")
        pending = ""
        if word:
            yield word.upper(), rest.strip()
    if pending.strip():
        word, _, rest = pending.strip().partition(" ")
        yield word.upper(), rest.strip()


def _from(build: Build, rest: str, files: frozenset[str]) -> None:
    words = _fill_variables(rest, build.arguments).split()
    if build.base or not words or words[0].startswith(("--", "$")) or words[0] == "scratch":
        raise refused("FROM", rest)
    build.base = words[0]


def _arg(build: Build, rest: str, files: frozenset[str]) -> None:
    name, _, value = rest.partition("=")
    build.arguments.setdefault(name.strip(), _unquoted(value.strip(), build.variables))


def _env(build: Build, rest: str, files: frozenset[str]) -> None:
    pairs = PAIR.findall(rest)
    if not pairs:
        name, _, value = rest.partition(" ")
        pairs = [(name, json.dumps(value.strip()))]
    for name, value in pairs:
        build.environment[name] = _unquoted(value, build.variables)


def _workdir(build: Build, rest: str, files: frozenset[str]) -> None:
    build.workdir = posixpath.normpath(posixpath.join(build.workdir, _unquoted(rest, build.variables)))
    if "$" in build.workdir:
        raise refused("WORKDIR", rest)
    build.commands.append(f"mkdir -p {shlex.quote(build.workdir)}")


def _user(build: Build, rest: str, files: frozenset[str]) -> None:
    build.user = _unquoted(rest, build.variables).partition(":")[0]


def _run(build: Build, rest: str, files: frozenset[str]) -> None:
    if rest.startswith("--") or HEREDOC.search(rest):
        raise refused("RUN", rest)
    command = shlex.join(words) if (words := _json_words(rest)) else rest
    arguments = {name: value for name, value in build.arguments.items() if name not in build.environment}
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in arguments.items())
    script = f"set +e\n{exports}cd {shlex.quote(build.workdir)} || exit 1\n{command}"
    if build.user not in ("root", "0"):
        script = f"exec runuser -u {shlex.quote(build.user)} -- /bin/sh -c {shlex.quote(script)}"
    build.commands.append(script)


def _copy(build: Build, rest: str, files: frozenset[str]) -> None:
    options = FLAGS.match(rest)
    flags = options[0].split() if options else []
    words = _json_words(rest[len(options[0]) if options else 0 :]) or rest.split()[len(flags) :]
    words = [_fill_variables(word, build.variables) for word in words]
    if len(words) < 2 or "$" in "".join(words) or any(not flag.startswith(("--chown=", "--chmod=")) for flag in flags):
        raise refused("COPY", rest)
    target = posixpath.normpath(posixpath.join(build.workdir, words[-1]))
    into = len(words) > 2 or posixpath.basename(words[-1]) in ("", ".", "..")
    build.copies = True
    build.commands += [_copy_command(source, target, into, files, rest) for source in words[:-1]]
    for flag in flags:
        what, _, value = flag[2:].partition("=")
        build.commands.append(f"{what} -R {shlex.quote(value)} {shlex.quote(target)}")


def _copy_command(source: str, target: str, into: bool, files: frozenset[str], rest: str) -> str:
    """The shell command for one source of a COPY: a folder's content, or a file to a name or into a folder."""
    plain = posixpath.normpath(source.lstrip("/") or ".")
    if plain.startswith("..") or "://" in source or re.search(r"[*?\[]", source):
        raise refused("COPY", rest)
    folder = plain == "." or any(path.startswith(f"{plain}/") for path in files)
    if not folder and plain not in files:
        raise Rejected("context_lacks_file", source)
    here, there = shlex.quote(posixpath.join(CONTEXT, plain)), shlex.quote(target)
    if folder:
        return f"mkdir -p {there} && cp -R {here}/. {there}"
    if into:
        return f"mkdir -p {there} && cp {here} {there}/"
    return f"mkdir -p {shlex.quote(posixpath.dirname(target))} && cp {here} {there}"


def _add(build: Build, rest: str, files: frozenset[str]) -> None:
    """ADD is like COPY, but unpacks archives. Addresses are not fetched: COPY refuses them."""
    words = _json_words(rest) or rest.split()
    archives = [word for word in words[:-1] if ARCHIVE.search(word)]
    if not archives:
        _copy(build, rest, files)
        return
    if len(words) != 2 or archives[0] not in files:
        raise refused("ADD", rest)
    target = shlex.quote(posixpath.join(build.workdir, words[1]))
    build.copies = True
    build.commands.append(f"mkdir -p {target} && tar -xf {shlex.quote(f'{CONTEXT}/{archives[0]}')} -C {target}")


def _json_words(text: str) -> list[str]:
    """The words of an instruction in its JSON form (`["make", "all"]`); none for the other form."""
    if not text.startswith("["):
        return []
    try:
        words = json.loads(text)
    except ValueError:
        return []
    return [str(word) for word in words] if isinstance(words, list) else []


def _unquoted(value: str, variables: Mapping[str, str]) -> str:
    """A value as the engine would read it: without quotes and escapes, variables filled in unless in single quotes."""
    if value.startswith("'"):
        return value.strip("'")
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        value = value[1:-1]
    return re.sub(r"\\(.)", r"\1", _fill_variables(value, variables))


def _fill_variables(text: str, variables: Mapping[str, str]) -> str:
    """The text with the variables that are known filled in; the others (`$PATH`) stay for the engine."""
    return VARIABLE.sub(lambda match: variables.get(match[1] or match[3], match[2] or match[0]), text)


INSTRUCTIONS: dict[str, Callable[[Build, str, frozenset[str]], None]] = {
    "FROM": _from,
    "ARG": _arg,
    "ENV": _env,
    "WORKDIR": _workdir,
    "USER": _user,
    "RUN": _run,
    "COPY": _copy,
    "ADD": _add,
}
"""The instructions that a recipe can say, and what each does to a build."""
