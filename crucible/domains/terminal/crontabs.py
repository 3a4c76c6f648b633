"""Tables of cron: which commands they run, and when. Two tables that run the same commands at the same moments say the
same, however their times are written. Python's standard library is enough."""

from __future__ import annotations

import re
from typing import NamedTuple

ENDINGS = (".cron", "crontab", "crontab.txt")
"""How the names of files that are such tables end."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
REBOOT = "@reboot"
JOB = re.compile(r"\s*(@\w+|\S+(?:\s+\S+){4})\s+(\S.*?)\s*")  # matches: */5 * * * * /opt/check.sh
SETTING = re.compile(r"\s*(\w+)\s*=\s*(.*?)\s*")  # matches: MAILTO=ops
PART = re.compile(r"(\*|\w+)(?:-(\w+))?(?:/(\d+))?")  # matches: *   1-5   */10   mon


class Schedule(NamedTuple):
    """When a job runs: at each of these minutes of each of these hours, on dates of these months that have one of these
    numbers and fall on one of these days of the week; where `either`, one of the last two is enough."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    """0: Sunday."""
    either: bool

    def runs_on(self, month: int, day: int, weekday: int) -> bool:
        """Whether it runs on a date at all."""
        fits = (day in self.days, weekday in self.weekdays)
        return month in self.months and (any(fits) if self.either else all(fits))

    def moments(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...]]:
        """All that decides when it runs, so that two schedules with the same moments are the same one."""
        dates = ((month, day, weekday) for month in range(1, 13) for day in range(1, 32) for weekday in range(7))
        return self.minutes, self.hours, tuple(self.runs_on(*date) for date in dates)


class Job(NamedTuple):
    """A line of a table."""

    schedule: Schedule | None
    """None: when the machine starts."""
    command: str


class Crontab(NamedTuple):
    """What a table says."""

    jobs: tuple[Job, ...]
    settings: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]

    def meaning(self) -> tuple[object, ...]:
        """The same for two tables that say the same: in which order jobs stand does not matter."""
        jobs = [(job.command, job.schedule.moments() if job.schedule else REBOOT) for job in self.jobs]
        return sorted(map(repr, jobs)), self.settings, sorted(self.comments)


def read_crontab(text: str) -> Crontab:
    """A table of a user; ValueError where a line is neither a job, nor a setting, nor a comment."""
    jobs, settings, comments = [], [], []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("#"):
            comments.append(line)
        elif setting := SETTING.fullmatch(line):
            settings.append((setting[1], setting[2].strip("\"'")))
        elif job := JOB.fullmatch(line):
            jobs.append(Job(None if job[1] == REBOOT else read_schedule(job[1]), job[2]))
        else:
            raise ValueError(f"no line of a table of cron: {line[:100]}")
    return Crontab(tuple(jobs), tuple(settings), tuple(comments))


def read_schedule(text: str) -> Schedule:
    """The five fields of a job, or a nickname for them; ValueError where they are not such."""
    fields = NICKNAMES.get(text, text).split()
    if len(fields) != 5:
        raise ValueError(f"no five fields: {text[:100]}")
    minutes, hours, days = (_read_field(fields[n], *limits) for n, limits in enumerate(((0, 59), (0, 23), (1, 31))))
    months = _read_field(fields[3], 1, 12, MONTHS)
    weekdays = tuple(sorted({day % 7 for day in _read_field(fields[4], 0, 7, WEEKDAYS)}))
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    return Schedule(minutes, hours, days, months, weekdays, either)


def _read_field(text: str, least: int, most: int, names: tuple[str, ...] = ()) -> tuple[int, ...]:
    """The numbers that a field means, in order."""
    numbers: set[int] = set()
    for part in text.lower().split(","):
        match = PART.fullmatch(part)
        if match is None:
            raise ValueError(f"no part of a field: {part}")
        first, last, step = match.groups()
        low = least if first == "*" else _read_number(first, least, names)
        high = most if first == "*" or (step and not last) else _read_number(last or first, least, names)
        if not least <= low <= high <= most or step == "0":
            raise ValueError(f"not between {least} and {most}: {part}")
        numbers |= set(range(low, high + 1, int(step or 1)))
    return tuple(sorted(numbers))


def _read_number(text: str, least: int, names: tuple[str, ...]) -> int:
    return names.index(text) + least if text in names else int(text)
