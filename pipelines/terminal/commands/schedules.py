"""Jobs that a script puts into a table of cron, and when they run, said in words that are not the table's own."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence

from crucible.domains.terminal.crontabs import Job, Schedule, read_crontab

TABLE = "crontab.txt"
"""What the table is called that jobs are added to."""
ADDING = re.compile(rf"^cat {re.escape(TABLE)} - > \S+ <<'(\w+)'\n(.*?)\n\1$", re.DOTALL | re.MULTILINE)
# matches: cat crontab.txt - > crontab.new <<'END_OF_FILE' and what follows up to END_OF_FILE
WEEKDAYS = (calendar.day_name[6], *calendar.day_name[:6])
MOST_TIMES = 6
"""So many times of a day are listed one by one."""


def add_command(jobs: str) -> str:
    """The commands that add lines to the table."""
    return f"cat {TABLE} - > crontab.new <<'END_OF_FILE'\n{jobs}\nEND_OF_FILE\nmv crontab.new {TABLE}"


def describe_added(script: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """For each line that a script adds to the table what it is for, with the values that this names."""
    for _, text in ADDING.findall(script):
        table = read_crontab(text)
        for name, value in table.settings:
            yield (name, value), f"The table of cron `{TABLE}` gets the setting `{name}` with the value `{value}`."
        for job in table.jobs:
            said = f"runs `{job.command}` {describe_time(job)}."
            yield (job.command,), f"The table of cron `{TABLE}` gets a job that {said}"


def describe_time(job: Job) -> str:
    """When a job runs, in words."""
    if job.schedule is None:
        return "when the machine starts"
    days = _describe_days(job.schedule)
    return " ".join(filter(None, [_describe_clock(job.schedule), days]))


def _describe_clock(schedule: Schedule) -> str:
    minutes, hours = schedule.minutes, schedule.hours
    every_hour = hours == tuple(range(24))
    step = _find_step(minutes, 60)
    if len(minutes) * len(hours) <= MOST_TIMES:
        return "at " + _join([f"{hour:02}:{minute:02}" for hour in hours for minute in minutes])
    often = ("every minute" if step == 1 else f"every {step} minutes (from minute 0 on)") if step else ""
    often = often or f"at {_plural('minute', minutes)}"
    if every_hour:
        return often if step else f"{often} of every hour"
    hour_step = _find_step(hours, 24)
    every = f"every {hour_step} hours (from hour 0 on)" if hour_step > 1 else _plural("hour", hours)
    return f"{often} of {every}"


def _describe_days(schedule: Schedule) -> str:
    """On which days it runs; nothing is said of every day of a job that runs more than once in it."""
    dates = "" if len(schedule.days) == 31 else f"on {_plural('day', schedule.days)} of the month"
    names = [WEEKDAYS[day] for day in schedule.weekdays]
    weekdays = "" if len(names) == 7 else "on " + _join([f"{name}s" for name in names])
    link = " and also " if schedule.either else ", but only "
    both = link.join(filter(None, [dates, weekdays]))
    months = (
        "" if len(schedule.months) == 12 else "in " + _join([calendar.month_name[month] for month in schedule.months])
    )
    return " ".join(filter(None, [both, months])) or "every day"


def _find_step(numbers: Sequence[int], end: int) -> int:
    """The distance of numbers that go from 0 to the end in equal steps; 0: they do not."""
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 0
    return step if step and end % step == 0 and tuple(numbers) == tuple(range(0, end, step)) else 0


def _plural(noun: str, numbers: Sequence[int]) -> str:
    """Numbers with what they are, those that follow each other as a range: `the hours 8 to 17`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [f"{run[0]} to {run[-1]}" if len(run) > 2 else _join(list(map(str, run))) for run in runs]
    return f"{noun} {said[0]}" if len(numbers) == 1 else f"the {noun}s {_join(said)}"


def _join(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
