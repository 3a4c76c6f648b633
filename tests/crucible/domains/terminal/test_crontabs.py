"""Tables of cron are the same when their jobs run at the same moments, as a library that others maintain tells them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from cronsim import CronSim

from crucible.domains.terminal.crontabs import Schedule, read_crontab, read_schedule
from crucible.domains.terminal.documents import read_document

START = datetime(2024, 2, 27, 22, 58, tzinfo=UTC)


def own_moments(schedule: Schedule, number: int) -> list[datetime]:
    """The first moments of a schedule after the start, minute by minute."""
    found: list[datetime] = []
    moment = START
    while len(found) < number:
        moment += timedelta(minutes=1)
        weekday = moment.isoweekday() % 7
        if not schedule.runs_on(moment.month, moment.day, weekday):
            moment = moment.replace(hour=23, minute=59)
        elif moment.hour in schedule.hours and moment.minute in schedule.minutes:
            found.append(moment)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "*/5 * * * *",
        "30 2 * * 1-5",
        "0 0 1,15 * 5",
        "0 0 */3 * 2",
        "15,45 8-18/2 * jan,Jul MON-fri",
        "0 12 29 2 *",
        "7 3 * * 7",
        "0 0 31 * *",
        "20-40/10 */6 10-20 * *",
    ],
)
def test_a_schedule_runs_when_the_library_says(text: str) -> None:
    assert own_moments(read_schedule(text), 12) == list(islice(CronSim(text, START), 12))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("*/15 * * * * /opt/a.sh", "0,15,30,45 * * * * /opt/a.sh"),
        ("@daily run", "0 0 * * * run"),
        ("0 9 * * 1-5 run", "0 9 * * mon,tue,wed,thu,fri   run"),
        ("0 0 * * 0 run\n@hourly b", "0 * * * * b\n\n0 0 * * 7 run"),
    ],
)
def test_two_ways_to_say_the_same_are_equal(one: str, other: str) -> None:
    assert read_document("crontab.txt", one) == read_document("crontab.txt", other) is not None


@pytest.mark.parametrize(
    "other",
    ["*/20 * * * * /opt/a.sh", "*/15 * * * * /opt/b.sh", "*/15 * * * 1 /opt/a.sh", "# later\n*/15 * * * * /opt/a.sh"],
)
def test_other_moments_commands_and_comments_are_not(other: str) -> None:
    assert read_document("crontab", "*/15 * * * * /opt/a.sh") != read_document("crontab", other)


@pytest.mark.parametrize("text", ["61 * * * * a", "* * * * a", "*/0 * * * * a", "5-1 * * * * a", "run every day", "a"])
def test_what_is_no_table_is_no_document(text: str) -> None:
    assert read_document("jobs.cron", text) is None


def test_settings_and_the_start_of_the_machine_are_kept() -> None:
    table = read_crontab('MAILTO=""\n@reboot /opt/start.sh\n')
    assert table.settings == (("MAILTO", ""),)
    assert table.jobs[0].schedule is None
