"""Lines of cron in an answer become commands that add them to a table."""

from __future__ import annotations

import pytest

from pipelines.terminal.model import Answer, Thread
from pipelines.terminal.selection.suggestions import runnable_or_none


def suggested(title: str, answer: str, tags: tuple[str, ...] = ("cron",)) -> list[str]:
    thread = Thread(site="x.example", number=1, title=title, body="", tags=tags)
    return [each.text for each in runnable_or_none(Answer(number=2, body=answer), thread)]


LINE = "*/5 * * * * /home/ana/check.sh"


@pytest.mark.parametrize(
    "answer",
    [
        f"<p>Use</p><pre><code># m h dom mon dow command\n{LINE}\n</code></pre>",
        f"<p>Put <code>{LINE}</code> into your table.</p>",
    ],
)
def test_a_line_of_cron_is_added_to_a_table(answer: str) -> None:
    assert suggested("Run a script every 5 minutes", answer) == [
        f"cat crontab.txt - > crontab.new <<'END_OF_FILE'\n{LINE}\nEND_OF_FILE\nmv crontab.new crontab.txt"
    ]


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Run a script every 10 minutes", LINE),
        ("Run a script", "* * * * * command to be executed"),
        ("Run a script", "0 5 * * * root /usr/sbin/logrotate"),
        ("Run a script", "0 25 * * * /opt/a.sh"),
    ],
)
def test_other_times_and_lines_that_are_no_jobs_are_left_out(title: str, line: str) -> None:
    assert suggested(title, f"<pre><code>{line}\n</code></pre>") == []


def test_a_question_about_something_else_has_no_table() -> None:
    assert suggested("Print five stars", f"<pre><code>{LINE}\n</code></pre>", tags=("bash",)) == []
