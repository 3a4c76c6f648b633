"""Commands that are given a program or a pattern: sed, awk, perl and grep."""

from __future__ import annotations

import re

from pipelines.terminal.accounts.awk_programs import tell_awk
from pipelines.terminal.accounts.naming import AWKS, has_option, operands_of
from pipelines.terminal.accounts.sed_programs import name_kind, tell_sed
from pipelines.terminal.accounts.words import tell_word
from pipelines.terminal.commands.options import unquote_word
from pipelines.terminal.commands.shell import Called
from pipelines.terminal.commands.sought import grep_operands, grep_patterns, has_pattern_file
from pipelines.terminal.commands.values import describe_call

VARIABLE = re.compile(r"\$[{(]|\$[A-Za-z_]\w|(?<=[/|#])\$[A-Za-z_]")  # matches: ${x}, $name; not the $d of sed


def tell_sought(call: Called, facts: list[str]) -> tuple[list[str], list[str]]:
    """What grep looks for, first, then the rest of what is told of it."""
    sought = [fact for fact in facts if fact.startswith(("It looks for", "What is sought"))]
    if any("pattern nothing" in fact for fact in sought):
        return facts, ["what is sought"]
    if not sought:
        words = [*grep_patterns(call.arguments), *grep_operands(call.arguments)]
        told = tell_word(words[0]) if words and words[0] != "{}" and not has_pattern_file(call.arguments) else None
        if told is None:
            return facts, ["what is sought"]
        sought = [f"It looks for {told}."]
    is_extended = has_option(call, "-E") or call.name == "egrep" or "--extended-regexp" in call.arguments
    kind = "extended" if is_extended else "basic"
    kind = "Perl's" if has_option(call, "-P") or "--perl-regexp" in call.arguments else kind
    told_kind = [] if call.name == "fgrep" or has_option(call, "-F") else name_kind(sought[0], kind)
    return [*sought, *told_kind, *(fact for fact in facts if fact not in sought)], []


def tell_program(call: Called) -> tuple[str, list[str]]:
    """What a program that a command is given does."""
    if call.name in AWKS:
        values = [word for before, word in zip(("", *call.arguments), call.arguments, strict=False) if before == "-v"]
        settings = dict(value.partition("=")[::2] for value in map(unquote_word, values))
        settings = {name: unquote_word(value) for name, value in settings.items()}
        programs, told = operands_of(call)[:1], None
        sets_more = any(re.match(r"[A-Za-z_]\w*=", word) for word in operands_of(call)[1:])
        flags = [word for word in call.arguments if word.startswith("-")]
        if (
            programs
            and not sets_more
            and all(re.match(r"-[vF]|-$", word) for word in flags)
            and "'\"" not in programs[0]
        ):
            told = tell_awk(programs[0], {name: value for name, value in settings.items() if name != "FS"})
        separator = [
            fact.sentence for fact in describe_call(call, False) if fact.sentence.startswith("The fields of a line")
        ]
        if settings.get("FS"):
            separator = [f"The fields of a line are parted by `{settings['FS']}`."]
        uses_fields = told is not None and "field" in " ".join(told)
        if uses_fields and not separator:
            separator = ["The fields of a line are parted by blanks."]
        return " ".join([*separator, *(told or [])]), [] if told is not None else ["what the program does"]
    flags = [word for word in call.arguments if word.startswith("-")]
    bad = [word for word in flags if not re.fullmatch(r"-[nrEie]+|-i\S*|-pe|-ip?e?|--quiet|--in-place\S*|-p", word)]
    given = [
        word
        for before, word in zip(("", *call.arguments), call.arguments, strict=False)
        if before in ("-e", "-pe", "-i -pe")
    ]
    programs = given or operands_of(call)[:1]
    is_silent = any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*|--quiet", word) for word in flags) and call.name == "sed"
    has_variable = any(VARIABLE.search(program) or re.search(r"\\[`\"]", program) for program in programs)
    told = tell_sed(programs, is_silent) if not bad and not has_variable and programs else None
    if told is not None:
        is_extended = any(re.fullmatch(r"-\w*[Er]\w*", word) for word in flags)
        told += name_kind(" ".join(told), "Perl's" if call.name == "perl" else "extended" if is_extended else "basic")
    if told is not None and (kept := [word for word in flags if re.match(r"-i[^e]|--in-place", word)]):
        ending = re.sub(r"^(?:-i|--in-place=?)", "", kept[0]).strip("'\"")
        told.append("The file itself is changed.")
        told += [f"A copy of it as it was before is kept, with `{ending}` behind its name."] if ending else []
    elif told is not None and any(re.fullmatch(r"-[nrE]*i", word) for word in flags):
        told.append("The file itself is changed.")
    return " ".join(told or []), [] if told is not None else ["what the program does"]


def is_sed(call: Called) -> bool:
    return any(re.fullmatch(r"-\w*p\w*e|-pe", word) for word in call.arguments)
