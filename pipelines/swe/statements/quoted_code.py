"""Fragments of the fix that a statement quotes in backquotes, and cutting out the sentences that do. Pure.

Whole lines of the patch are looked for in `leaks`; here it is pieces of them: "wrap the key in a tuple (`% (key,)`)".
A fragment gives the answer away where the change adds it as code and the base does not have it. A plain name, a
condition, a call of a function that is new, and what the change's own tests say are no answer: they tell what is asked
for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pipelines.swe.statements.patch_files import PatchFile, read_patch

FENCED = re.compile(r"^[ \t]*(?P<mark>```|~~~).*?(?:^[ \t]*(?P=mark)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# matches: ```python\nhalve(3)\n```
CODE_SPAN = re.compile(r"(?P<marks>`+)(?P<code>[^`\n]+)(?P=marks)")
# matches: `% (key,)`
BRACKETED = re.compile(r"[ \t]*\([^()`\n]*$")
# matches the end of: in a tuple (e.g.
BOUNDARY = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?:(?<=[.!?])|(?<=[.!?]\)))[ \t]+(?=[A-Z\"'(*_])"
    r"|(?<=[.!?:])\n|\n[ \t]*\n|\n(?=[ \t]*(?:[-*+>#|]|\d+[.)])[ \t]?)"
)
# matches the blanks in: It panics. The cause is known    and the end of the line before: - a point
TOKEN = re.compile(r"\w+|[=!<>]=|&&|\|\||[-=]>|[^\w\s]")
# matches each of: % ( key , )
STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
# matches: "no such shelf"
CONDITION = re.compile(r"(?:not |!)?[\w.]+\s*(?:==|!=|<=?|>=?|\bis\b|\bin\b)\s*[\w.\"'+-]+")
# matches: n == 0
COMMENT = re.compile(r"^\s*(?:#|//|/?\*|--\s|>>>).*|\s(?:#|//)\s.*")
# matches: # as `halve` does    and the end of: halve(n)  # once
CALL = re.compile(r"(?:[\w.]+(?:\.|::))?(?P<name>\w+)(?:\(.*\))?")
# matches: shelf.halve(n)
NAME = re.compile(r"[A-Za-z_]\w+")
# matches: key
BLANK_LINES = re.compile(r"\n{3,}")
# matches: \n\n\n
FEWEST_TOKENS = 3
"""Of a fragment: fewer are a name, or a name and a sign."""


def cut_quoted_code(text: str, patch: str, test_patch: str, in_base: Callable[[str], bool]) -> str:
    """The statement without the sentences that quote code which the patch adds and the base lacks; `in_base` tells
    whether the base has a text. From the title, which is its first line, only the quotation goes."""
    added, known, new = _added_tokens(patch), _known_tokens(patch, test_patch), _defined_names(patch)

    def gives_away(code: str) -> bool:
        call = CALL.fullmatch(code)
        tokens = "" if call and call["name"] in new else _fragment_tokens(code)
        return bool(tokens) and tokens in added and tokens not in known and not in_base(code)

    masked = CODE_SPAN.sub(_mask, FENCED.sub(_mask, text))
    spans = [match for match in CODE_SPAN.finditer(FENCED.sub(_blank, text)) if gives_away(match["code"].strip())]
    body = len(text.partition("\n")[0]) + 1
    cuts = [_quotation(text, span) if span.start() < body else _sentence(masked, span, body) for span in spans]
    return BLANK_LINES.sub("\n\n", _without(text, cuts)).strip() if cuts else text


def _mask(match: re.Match[str]) -> str:
    """As many letters as the match has, so that no sentence seems to end within it."""
    return "X" * len(match[0])


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _quotation(text: str, span: re.Match[str]) -> tuple[int, int]:
    """Where a quotation stands, with the brackets around it."""
    opening = BRACKETED.search(text, 0, span.start())
    if opening and text[span.end() : span.end() + 1] == ")":
        return opening.start(), span.end() + 1
    return span.span()


def _sentence(masked: str, span: re.Match[str], body: int) -> tuple[int, int]:
    """Where the sentence stands that a quotation is in: from the end of the one before, or the start of the body, to
    its own."""
    boundaries = [match.span() for match in BOUNDARY.finditer(masked)]
    start = max([body, *(end for _, end in boundaries if end <= span.start())])
    return start, min([len(masked), *(begin for begin, _ in boundaries if begin >= span.end())])


def _without(text: str, cuts: list[tuple[int, int]]) -> str:
    """The text without these parts, and without the blanks they leave."""
    for start, end in sorted(set(cuts), reverse=True):
        kept, rest = text[:start], text[end:].lstrip(" ")
        if rest[:1] in ("", "\n"):
            text = kept.rstrip(" ") + (rest[1:] if kept.endswith("\n") else rest)
        else:
            text = kept + rest if kept[-1:] in ("", " ", "\n") else f"{kept} {rest}"
    return text


def _fragment_tokens(code: str) -> str:
    """The tokens of a fragment, as they would stand in a line of code; empty where it could be no answer."""
    if CONDITION.fullmatch(code):
        return ""
    tokens = TOKEN.findall(STRING.sub('"', code.removesuffix("()")))
    is_code = len(tokens) >= FEWEST_TOKENS and any(NAME.fullmatch(token) for token in tokens)
    return f" {' '.join(tokens)} " if is_code else ""


def _join_tokens(line: str) -> str:
    return " ".join(TOKEN.findall(STRING.sub('"', line)))


def _added_tokens(patch: str) -> str:
    """The code that a patch adds to source files, line by line, without comments and without signatures."""
    lines = (line for file in read_patch(patch) if file.sort == "source" for line in _added_code(file))
    return "".join(f" {_join_tokens(line)} \n" for line in lines)


def _defined_names(patch: str) -> set[str]:
    """The names that a patch defines for others to use."""
    files = read_patch(patch)
    signatures = (file.language.find_signature(line) for file in files if file.language for line in file.added)
    return {signature["name"] for signature in signatures if signature}


def _added_code(file: PatchFile) -> Iterator[str]:
    """The lines that are added to a file as code; what stands in a Python docstring is none."""
    is_text = False
    for line in file.added:
        was_text, quotes = is_text, line.count('"""') + line.count("'''")
        is_text ^= bool(quotes % 2)
        if not was_text and not quotes and not (file.language and file.language.find_signature(line)):
            yield COMMENT.sub("", line)


def _known_tokens(patch: str, test_patch: str) -> str:
    """What is no secret: the lines around the change and those it takes away, and what its tests say."""
    around = [line[1:] for file in read_patch(patch) for line in file.lines if line[:1] in (" ", "-")]
    tests = [line for file in read_patch(test_patch) for line in file.added]
    return "".join(f" {_join_tokens(line)} \n" for line in (*around, *tests))
