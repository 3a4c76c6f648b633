"""Lines of cron that an answer shows: to type them is to add them to a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.terminal.crontabs import read_crontab
from pipelines.terminal.commands.schedules import add_command, describe_time
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.bodies import Block
from pipelines.terminal.selection.steps import Told

SPAN = re.compile(r"`([^`\n]+)`")  # matches: `*/5 * * * * /opt/check.sh`
EVERY = re.compile(r"\bevery (\d+)(?:st|nd|rd|th)? ?(minute|min|hour|hr|day)", re.IGNORECASE)
# matches: every 5 minutes
NO_COMMAND = re.compile(r"\W*(?:root\s|command\b|cmd\b|your[-_ ]|<|\[|\.\.\.|user\b)", re.IGNORECASE)
# matches: root /usr/bin/x (a table of the system has a user there)   command to be run
WISH = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|hourly|nightly|schedul|minutes?|hours?|days?|weekdays?|midnight|at \d)|"
    r"\bcron(?:tab)? (?:line|entry|expression|syntax|job)",
    re.IGNORECASE,
)
# matches: run a script every night   crontab entry for working days
THERE_ALREADY = re.compile(
    r"\b(?:find|list|show|display|print|remove|delete|disable|pars|log|why|not (?:run|work|execut)|jobs that)\w*\b",
    re.IGNORECASE,
)
MOST_JOBS = 3


def complete_tables(thread: Thread, blocks: Sequence[Block]) -> list[Told]:
    """The commands that add the lines of cron which an answer shows; none where the question is not about cron, or is
    about jobs that are there already."""
    is_cron = re.search(r"\bcron", " ".join([thread.title, *thread.tags]), re.IGNORECASE)
    if not is_cron or not WISH.search(thread.title) or THERE_ALREADY.search(thread.title):
        return []
    told: list[Told] = []
    prose = ""
    for block in blocks:
        shown = [block.text] if block.kind == "code" else SPAN.findall(block.text)
        before = prose if block.kind == "code" else block.text
        told += [Told(before, add_command(jobs), len(told)) for text in shown if (jobs := _read_jobs(text, thread))]
        prose = block.text if block.kind == "text" else ""
    return told


def _read_jobs(text: str, thread: Thread) -> str:
    """The lines of a table without its comments; empty where they are none, or run something else than was asked."""
    try:
        table = read_crontab(text)
    except ValueError:
        return ""
    if not 1 <= len(table.jobs) <= MOST_JOBS or any(NO_COMMAND.match(job.command) for job in table.jobs):
        return ""
    asked = EVERY.search(thread.title)
    times = " ".join([text, *map(describe_time, table.jobs)])
    if asked and asked[1] != "1" and not re.search(rf"(?:/|every ){asked[1]}\b", times):
        return ""
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("#"))
