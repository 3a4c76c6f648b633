"""Whether an instruction determines all that is asserted: every value that the reference uses, every fixed word of its
results and every path that it makes must be said, or be found in the folder."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import with_parents
from crucible.errors import Rejected
from pipelines.terminal.commands.options import undescribed_options
from pipelines.terminal.commands.shell import WRAPPERS, Called, read_script, without_comments
from pipelines.terminal.commands.values import GIT_GROUPS, describe_values
from pipelines.terminal.drafting.forms import collect_results, scene_text, untold_words
from pipelines.terminal.model import Draft
from pipelines.terminal.scenes.workspace import written_names
from pipelines.terminal.statements.goals import account_of, goal_of, is_named, speaks_of_folder

PROGRAMMED = frozenset({"awk", "gawk", "mawk", "sed", "perl", "jq", "sqlite3"})
"""Commands whose program is no word of the shell; its values are described."""
NAMELESS = frozenset(
    {"read", "set", "export", "local", "declare", "typeset", "mapfile", "readarray", "unset", "shift", "exit", "return"}
    | {"trap", "shopt", "wait", "sleep", "kill", "true", ":", "[", "[[", "test", "echo", "printf", "python3"}
)
"""Commands whose words are names of variables, or described elsewhere."""
OPAQUE = frozenset({"fmt"})
"""Commands whose results follow from rules that no instruction tells: where fmt breaks a line."""
SHOWN_BELOW = re.compile(r"\b(?:shown|given|outputs?) below\b|\bas (?:below|follows)\b", re.IGNORECASE)
# matches: in the format as shown below
IN_PROSE = re.compile(r"^(?:\w+ )?output ?:[ \t]*\S", re.IGNORECASE | re.MULTILINE)  # matches: Output: aaa;1.70;
QUOTED = re.compile(r"`([^`]*)`")  # matches: `data.csv`
BLOCK = re.compile(r"```\n.*?\n```", re.DOTALL)  # matches a block of code of a goal
SPOKEN_PATH = re.compile(r"`(~?/[\w.$-]+(?:/[\w.$-]+)*/?)`")  # matches: `/var/www/`
PLAIN = re.compile(r"[\w.,:@%/+-]*\w[\w.,:@%/+-]*")  # matches: 42, data.csv


def check_complete(draft: Draft, instruction: str) -> None:
    """Rejected, with what is missing, when the instruction leaves something open that is asserted."""
    goal = goal_of(draft)
    told = "\n".join([goal, *(f"`{text}`" for text in QUOTED.findall(instruction))])
    missing = ["what is shown below"] if SHOWN_BELOW.search(goal) and "```" not in goal and not draft.goal else []
    if IN_PROSE.search(BLOCK.sub("", goal)) and not draft.shows_result:
        missing.append("whether the result within the prose is met")
    account = account_of(draft)
    if account is None or account.untold:
        missing += untold_meanings(draft, goal)
    if account is not None and not speaks_of_folder(draft, goal):
        missing += account.untold
    missing += other_paths(draft, goal)
    missing += [*undescribed_options(draft.suggestion.text), *untold_values(draft, told)]
    missing += [f"how {call.name} works" for call in read_script(draft.suggestion.text).calls if call.name in OPAQUE]
    missing += [path for path in made_paths(draft.cases) if not is_named(path, told)]
    results = collect_results(draft.cases)
    ignored = {path for demand in draft.demands for path in demand.any_content}
    if not any(demand.about == "output" for demand in draft.demands):
        ignored.add("")
    results = {path: each for path, each in results.items() if path not in ignored}
    missing += [word for each in results.values() for word in untold_words(each, told)]
    if missing:
        raise Rejected("instruction_incomplete", f"not told: {', '.join(dict.fromkeys(missing))}"[:300])


def untold_meanings(draft: Draft, goal: str) -> list[str]:
    """Values of the reference of which it can only be said that they matter, and not how, where the question neither
    names them nor shows what it has and wants."""
    if draft.shows_result or draft.writer == "model":
        return []
    vague = (fact for fact in describe_values(draft.suggestion.text) if fact.is_vague)
    return [
        f"what {fact.values[0]} is for" for fact in vague if not all(is_named(value, goal) for value in fact.values)
    ]


def other_paths(draft: Draft, goal: str) -> list[str]:
    """The paths that a question names, where the reference has none of them, nor the folder: it would be told of two
    places, and only one of them is meant."""
    spoken = {path for path in SPOKEN_PATH.findall(BLOCK.sub("", goal)) if not path.startswith("/dev/")}
    known = "\n".join([draft.suggestion.text.replace("\\", ""), *map(scene_text, draft.cases)])
    is_met = any(path.rstrip("/").rpartition("/")[2] in known for path in spoken)
    return [] if is_met or draft.goal else [f"that {path} is meant by another name" for path in sorted(spoken)]


def untold_values(draft: Draft, told: str) -> list[str]:
    """Values of the reference that are neither told nor names of files of the folder."""
    script = without_comments(draft.suggestion.text)
    told = " ".join([told, *(value for fact in describe_values(script) for value in fact.values)])
    known = {part for case in draft.cases for path in case.scene.entries for part in (path, *path.split("/"))}
    known |= {name for name in written_names(script) if not any(name in case.expected.entries for case in draft.cases)}
    values = [value for call in read_script(script).calls for value in _values(call)]
    return [value for value in values if value.strip("./+") not in told and value.strip("./") not in known]


def _values(call: Called) -> list[str]:
    """The plain words that a command is given."""
    if call.name in NAMELESS or call.name in PROGRAMMED or call.name in WRAPPERS:
        return []
    words = [word.partition("=")[2] if word.startswith("--") or call.name == "dd" else word for word in call.arguments]
    words = words[: words.index("-exec")] if "-exec" in words else words
    if call.name == "git":
        words = words[2 if words[0] in GIT_GROUPS else 1 :] if words else []
    words = words[1:] if call.name == "tar" and words and re.fullmatch(r"[a-zA-Z]+", words[0]) else words
    words = [word for word in words if "localhost" not in word and "127.0.0.1" not in word]  # told with the service
    return [
        word for word in words if PLAIN.fullmatch(word) and not word.startswith(("-", "/dev/")) and word.strip("./")
    ]


def made_paths(cases: Sequence[Case]) -> list[str]:
    """Paths that the reference makes in every case; of a folder not what it has within."""
    if any(case.scene.repositories for case in cases):  # what git puts into the folder is told by its own terms
        return []
    each = [
        {path for path, entry in case.expected.changed_entries(case.scene).items() if entry is not None}
        - with_parents(case.scene.entries).keys()
        for case in cases
    ]
    common = set.intersection(*each)
    tops = [path for path in common if path.rpartition("/")[0] not in common]
    return sorted(deepest for top in tops for deepest in _empty_ends(top, common, cases[0]))


def _empty_ends(top: str, made: set[str], case: Case) -> list[str]:
    """A path that is made; of a folder in which nothing but folders is made, the deepest of them."""
    below = [path for path in made if path.startswith(f"{top}/")]
    is_bare = all((entry := case.expected.entries.get(path)) and entry.kind == "folder" for path in (top, *below))
    ends = [path for path in below if not any(other.startswith(f"{path}/") for other in below)]
    return ends if is_bare and ends else [top]
