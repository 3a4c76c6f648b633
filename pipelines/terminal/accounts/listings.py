"""Commands that list, count, print or pack: what they give, and of what."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import takewhile

from pipelines.terminal.accounts.naming import has_option, join_words, list_words, name_word, operands_of
from pipelines.terminal.accounts.words import tell_word
from pipelines.terminal.commands.options import unquote_word
from pipelines.terminal.commands.shell import Called

EXPANSION = re.compile(r"\$\{[^}]*\}")  # matches: ${path##*/}
DEEDS = ("mv", "cp", "rm", "ln", "mkdir", "rmdir", "touch", "chmod", "tar", "zip", "rename", "sed", "git")
TYPES = {"f": "It concerns files.", "d": "It concerns folders.", "l": "It concerns links."}
PRINTED_FORMS = {
    "%p": "its path",
    "%f": "its name",
    "%s": "its size in bytes",
    "%d": "how deep it lies",
    "%P": "its path without the folder that it was sought in",
    "\\t": "a tab",
    "\\n": "",
    " ": "a blank",
}
WC_VALUES = {"-l": "lines", "-w": "words", "-c": "bytes", "-m": "characters"}


def turn_types(call: Called, facts: list[str]) -> list[str]:
    """What is told of kinds, turned where `find` leaves that kind out."""
    words = call.arguments
    turned = {
        TYPES[words[place + 2]]
        for place, word in enumerate(words[:-2])
        if word in ("!", "\\!", "-not") and words[place + 1] == "-type" and words[place + 2] in TYPES
    }
    return [
        f"{fact.removeprefix('It concerns ')[:-1].capitalize()} are left out." if fact in turned else fact
        for fact in facts
    ]


def tell_find(call: Called, tested: Collection[str]) -> tuple[list[str], list[str]]:
    """What `find` does with what it finds. `tested`: the tests that are told."""
    words = list(call.arguments)
    ends = [place for place, word in enumerate(words) if word in ("\\;", ";", "+")]
    starts = [place for place, word in enumerate(words) if word in ("-exec", "-execdir")]
    for start, end in zip(reversed(starts), reversed(ends), strict=False):
        words[start + 1 : end + 1] = []
    untold = [word for word in words if word.startswith("-") and word not in tested]
    folders = list(takewhile(lambda word: word[:1] not in "-(!\\", words))
    untold += ["where it looks"] if any("{}" in word for word in folders) else []
    named = list_words([word for word in folders if word not in (".", "./")])
    told = [f"It looks in {named}." if named else "It looks in the whole folder."]
    if {"-o", "-or"} & set(words):
        told.append("Of what is meant one is enough.")
        is_closed = any(word.strip("\\'\"") == "(" for word in words)
        others = [
            word
            for word in words
            if re.match(r"-\w{2,}", word) and not re.fullmatch(r"-or|-i?name|-i?path|-wholename", word)
        ]
        untold += ["which belong together"] if others and not is_closed else []
        untold += ["what is done with which"] if starts or "-delete" in words or "-not" in words or "!" in words else []
    if "-execdir" in words:
        told.append("What follows is done in the folder in which each lies.")
    if "-delete" in words:
        told.append("What it finds is removed.")
    elif "-printf" in words:
        form = unquote_word(words[words.index("-printf") + 1])
        parts = re.findall(r"%\w|\\[tn]|[^%\\]+", form)
        if any(part.startswith("%") and part not in PRINTED_FORMS for part in parts):
            untold.append(form)
        said = [PRINTED_FORMS.get(part, f"`{part}`") for part in parts]
        told.append(f"Of each that it finds is given: {', '.join(filter(None, said))}.")
    elif not starts:
        begins = "" if named else ", which begins with `./`" if "." in folders or "./" in folders or not folders else ""
        told.append(f"Of each that it finds the path is given{begins}.")
    return told, untold


def tell_wc(call: Called, reads_pipe: bool) -> list[str]:
    flags = [WC_VALUES[word] for word in call.arguments if word in WC_VALUES]
    operands = operands_of(call)
    if len(flags) != 1 or len(operands) > 1 or any("*" in word or word == "{}" for word in operands):
        return []
    named = f", then a blank and `{operands[0]}`" if operands and not reads_pipe else ""
    return [f"The number of {flags[0]} is given{named}."]


def tell_cat(call: Called, is_given: bool) -> list[str]:
    operands = [word for word in call.arguments if not re.match(r"-\w", word)]
    if len(operands) == 1 and "*" not in operands[0]:
        return [f"{'Given' if is_given else 'Taken'} is what is in {name_word(operands[0]) or operands[0]}."]
    if len(operands) < 2 and not any("*" in word for word in operands):
        return []
    named = ["what it is given" if word == "-" else name_word(word) or word for word in operands]
    return [f"Taken are the contents of {join_words(named)}, one after the other."]


def tell_ls(call: Called) -> tuple[list[str], list[str]]:
    """Names of what lies in a folder, or of what matches a pattern."""
    operands = operands_of(call)
    if any("*" in word or word == "{}" for word in operands) and not has_option(call, "-d"):
        return [], ["what is listed of folders"]
    named = join_words([name_word(word) or word for word in operands])
    what = (
        f"of {named}"
        if has_option(call, "-d")
        else f"of what lies in {named}"
        if named
        else "of what lies in the folder"
    )
    return [f"The names {what} are given, each on a line of its own, in their order unless another is told."], []


def tell_tar(call: Called) -> tuple[list[str], list[str]]:
    """An archive that is made, unpacked or listed."""
    first, *rest = call.arguments or ("",)
    letters = first.lstrip("-") if re.fullmatch(r"-?[a-zA-Z]+", first) else ""
    if not set(letters) <= set("cxtvzjJfp") or "f" not in letters or not set("cxt") & set(letters):
        return [], ["what tar does"]
    into, words = "", list(rest)
    if "-C" in words[:-1] and "x" in letters:
        place = words.index("-C")
        into = f" into the folder `{words[place + 1]}`"
        del words[place : place + 2]
    if not words or any(word.startswith("-") for word in words):
        return [], [word for word in words if word.startswith("-")] or ["what tar does"]
    if "t" in letters and "v" in letters:
        return [], ["what is told of each path"]
    archive, others = words[0], join_words([f"`{word}`" for word in words[1:]])
    if any("{}" in word or "*" in word for word in words):
        return [], ["which archives"]
    if "c" in letters and others:
        return [f"The archive `{archive}` is made of {others}."], []
    if "x" in letters:
        what = f"Of the archive `{archive}` {others} is" if others else f"The archive `{archive}` is"
        return [f"{what} unpacked{into}."], []
    return [f"The paths in the archive `{archive}` are given, each on a line of its own."], []


def tell_echo(call: Called) -> tuple[list[str], list[str]]:
    """What is printed."""
    words = [word for word in call.arguments if not re.fullmatch(r"-[neE]+", word)]
    if call.name == "printf":
        form, values = words[0] if words else "", words[1:]
        plain = form.removesuffix("\\n")
        if "%" not in form and not values:
            words = [plain]
        elif plain.count("%s") != len(values) or "%" in plain.replace("%s", ""):
            return [], [f"what is printed as `{form}`"]
        else:
            pieces = plain.split("%s")
            words = ["".join(piece + value for piece, value in zip(pieces, [*values, ""], strict=True))]
    words = [" ".join(words)] if words and "$" not in " ".join(words) else words
    if not any(words):
        return ["Printed is an empty line."], []
    if words[0].split()[:1] and words[0].split()[0] in DEEDS:  # it only shows what would be done
        return [], ["what is printed"]
    if any(re.search(r"[\\\"']|\{\}", word) for word in words):
        return [], ["what is printed"]
    if any(re.search(r"[*?]", EXPANSION.sub("", word)) for word in words):  # the shell may put names of files there
        return [], ["what is printed"]
    told = [tell_word(word) if "$" in word else f"`{word}`" for word in words if word]
    if None in told or any("`" in word for word in words):
        return [], ["what is printed"]
    each = ", of a list each element on a line of its own" if any("[@]" in word for word in words) else ""
    return [f"Printed is {', then a blank, then '.join(word for word in told if word)}{each}."] if told else [], []
