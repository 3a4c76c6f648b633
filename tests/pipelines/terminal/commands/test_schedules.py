"""When jobs of cron run is said in words from which the five fields follow."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.crontabs import Job, read_schedule
from pipelines.terminal.commands.schedules import add_command, describe_added, describe_time


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ("* * * * *", "every minute every day"),
        ("*/5 * * * *", "every 5 minutes (from minute 0 on) every day"),
        ("30 2 * * 1-5", "at 02:30 on Mondays, Tuesdays, Wednesdays, Thursdays and Fridays"),
        ("0 */6 * * *", "at 00:00, 06:00, 12:00 and 18:00 every day"),
        ("15 * * * *", "at minute 15 of every hour every day"),
        ("*/10 8-17 * * 1", "every 10 minutes (from minute 0 on) of the hours 8 to 17 on Mondays"),
        ("0 0 1 * *", "at 00:00 on day 1 of the month"),
        ("0 0 1,15 1 5", "at 00:00 on the days 1 and 15 of the month and also on Fridays in January"),
        ("0 9 */2 * 1", "at 09:00 on the days "),
    ],
)
def test_a_schedule_is_said_in_words(schedule: str, words: str) -> None:
    assert describe_time(Job(read_schedule(schedule), "x")).startswith(words)


def test_the_lines_that_a_script_adds_are_described() -> None:
    script = add_command('MAILTO=""\n@reboot /opt/start.sh')
    assert [sentence for _, sentence in describe_added(script)] == [
        "The table of cron `crontab.txt` gets the setting `MAILTO` with the value ``.",
        "The table of cron `crontab.txt` gets a job that runs `/opt/start.sh` when the machine starts.",
    ]
