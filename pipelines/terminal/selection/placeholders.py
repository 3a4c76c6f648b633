"""Words that stand for something of the reader's own, resolved to names of one small workspace."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from crucible.errors import Rejected
from pipelines.terminal.commands.shell import find_words, read_script

ANGLE = re.compile(r"<(?P<name>[a-zA-Z][\w '-]{1,60})>")  # matches: <file name>
LEFT_OUT = re.compile(r"/\.\.\./|\[\.\.\.\]|…")  # matches: s/.../.../
UNSAID_COMMANDS = frozenset({"command", "cmd", "some_command", "your_command", "program", "foo", "mycommand"})
"""What answers call a command that the reader is to put there."""
LONGEST_NAME_WORDS = 3
"""A placeholder of more words describes what to write; no name of a file can stand for it."""
PATH_TO = re.compile(r"(?:~|/(?:path|full/path|some/path|absolute/path)(?:/to)?|/home/\w+|\$HOME|/some/dir)/")
# matches: /path/to/ of /path/to/dir, ~/ of ~/notes.txt
BARE_PATH = re.compile(r"(?<![\w./])/(?:path|path/to|some/path|your/path)(?![\w/])")  # matches: /path/to
SYSTEM_FOLDERS = ("bin", "boot", "dev", "etc", "lib", "proc", "root", "run", "sbin", "srv", "sys", "usr", "var", "opt")
OWN_PATH = re.compile(r"/(?:tmp/)?(?=[\w.-])")
# matches: the / of /dir/file.txt, /tmp/ of /tmp/file.txt; not the one of /*, which would hide that it destroys the box
FOLDER_WORDS = ("dir", "folder", "path")
SHELL_VARIABLES = frozenset(
    {"IFS", "PATH", "PS1", "OLDPWD", "PWD", "REPLY", "OPTARG", "OPTIND", "LINENO", "FUNCNAME", "HOME", "USER", "UID"}
    | {"HOSTNAME", "RANDOM", "SECONDS", "PPID", "SHELL", "LANG", "TERM", "EUID", "PIPESTATUS", "COLUMNS", "LINES"}
)
"""Variables that the shell itself sets."""
POSITIONAL = re.compile(r"\$(?:\{?(?P<number>[1-9])\b|(?P<all>[@*]))")  # matches: $1 ${1%.txt} $@
CALLED = re.compile(
    r"(?:^|[\s$`])(?:\./|(?:ba|k|c|z)?sh\s+|perl\s+)?[\w-]+\.(?:sh|csh|ksh|bash|pl)"
    r"(?P<arguments>(?:[ \t]+[\w.,:@%+=/-]+)+)[ \t`]*$",
    re.MULTILINE,
)
# matches: ./find.sh 03_input.txt c
EXAMPLE_HOST = re.compile(r"https?://(?:www\.)?example\.(?:com|org|net)(?::\d+)?(?=[/\s'\"?]|$)")
# matches: https://www.example.com of https://www.example.com/a.txt
LOCAL_HOST = "http://localhost:8000"
DEFAULT_FILE, DEFAULT_FOLDER = "file.txt", "folder"
GENERIC_FILES = (
    DEFAULT_FILE,
    "FILE",
    "yourfile",
    "your_file",
    "file",
    "filename",
    "input",
    "infile",
    "input.txt",
    "somefile",
)
"""What answers call the file of whoever asked."""


def resolve_placeholders(text: str) -> str:
    """The commands with every placeholder replaced, or given a value in a line before them; Rejected where one says
    more than a name can."""
    for match in ANGLE.finditer(text):
        if len(match["name"].split()) > LONGEST_NAME_WORDS:
            raise Rejected("placeholder_unclear", match[0])
    if left_out := LEFT_OUT.search(text):
        raise Rejected("placeholder_unclear", left_out[0])
    if any(call.name in UNSAID_COMMANDS and not call.arguments for call in read_script(text).calls):
        raise Rejected("placeholder_unclear", "some command of the reader's own")
    text = use_local_host(text)
    text = ANGLE.sub(lambda match: _name_for(match["name"]), text)
    text = make_paths_relative(BARE_PATH.sub(DEFAULT_FOLDER, PATH_TO.sub("", text)))
    return "\n".join([*_value_lines(text), text])


def use_local_host(text: str) -> str:
    """The text with addresses of example hosts replaced by one that a service of this machine answers."""
    return EXAMPLE_HOST.sub(LOCAL_HOST, text)


def make_paths_relative(text: str) -> str:
    """The commands with absolute paths of the reader's own below the current folder. Only whole words of the shell are
    looked at: a slash in quotes may belong to a program of sed or awk."""
    source = text.encode()
    for begin, word in reversed(find_words(text)):
        first = word.lstrip("/").partition("/")[0]
        if word.startswith("/") and first not in SYSTEM_FOLDERS and (path := OWN_PATH.match(word)):
            source = source[:begin] + source[begin + path.end() :]
    return source.decode(errors="replace")


def use_shown_name(script: str, shown: Collection[str]) -> str:
    """The commands with their placeholder for a file replaced by the one file that only the question names."""
    unnamed = [name for name in shown if name and name not in script]
    generic = [name for name in GENERIC_FILES if name not in shown and re.search(_whole_word(name), script)]
    if len(unnamed) != 1 or len(generic) != 1:
        return script
    return re.sub(_whole_word(generic[0]), unnamed[0], script)


def use_asker_names(script: str, contents: Mapping[str, str], shown: Mapping[str, str]) -> str:
    """The commands with the asker's own names for files that have what the question shows under another name:
    `contents` by the names that the commands use, `shown` by those of the question."""
    asked = {text.strip(): name for name, text in shown.items() if name and text.strip() and name not in script}
    for name, text in contents.items():
        if text.strip() in asked and name not in shown:
            script = re.sub(_whole_word(name), asked[text.strip()], script)
    return script


def use_asked_arguments(script: str, question: str) -> tuple[str, tuple[str, ...]]:
    """The commands with the arguments that a question gives to its own script, and these arguments, where the commands
    use so many; else the commands as they are, and none."""
    begin = f"set -- {DEFAULT_FILE}\n"
    numbers = [int(match["number"]) for match in POSITIONAL.finditer(_outside_quotes(script)) if match["number"]]
    calls = [match["arguments"].split() for match in CALLED.finditer(question)]
    given = next((words for words in calls if numbers and max(numbers) == len(words)), None)
    if given is None or not script.startswith(begin):
        return script, ()
    return f"set -- {' '.join(given)}\n{script.removeprefix(begin)}", tuple(given)


def _whole_word(name: str) -> str:
    return rf"(?<![\w./-]){re.escape(name)}(?![\w.-])"  # matches: file.txt, not myfile.txt or file.txt.bak


def _value_lines(text: str) -> list[str]:
    """Lines that give values to arguments and variables which the commands read and do not set."""
    script = read_script(text)
    lines = []
    if POSITIONAL.search(_outside_quotes(text)) and not script.functions:
        lines.append(f"set -- {DEFAULT_FILE}")
    for name in sorted(script.unset - SHELL_VARIABLES):
        if name.isidentifier() and not name.startswith("BASH"):
            lines.append(f"{name}={_name_for(name)}")
    nameless = [line for line in lines if line.partition("=")[0] == line.partition("=")[2]]
    if len(nameless) > 1:  # what each of them is could only be told by a name that says nothing
        raise Rejected("placeholder_unclear", ", ".join(nameless))
    return lines


def _outside_quotes(text: str) -> str:
    """The text without what stands in single quotes: a `$1` there belongs to awk or perl."""
    return re.sub(r"'[^']*'", "''", text)


def _name_for(placeholder: str) -> str:
    """A name of the workspace for what a placeholder calls something."""
    word = placeholder.lower()
    if any(part in word for part in FOLDER_WORDS):
        return DEFAULT_FOLDER
    if "file" in word or "input" in word:
        return DEFAULT_FILE
    if any(part in word for part in ("num", "count", "size", "line")) or word == "n":
        return "3"
    return re.sub(r"\W+", "_", placeholder.strip())
