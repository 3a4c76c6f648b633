"""Every forge's way of naming a pull request is understood, and nothing else is taken for one."""

import pytest

from pipelines.swe.repository.messages import clean_text, describe_commits, read_message, read_unnumbered

MERGES = {
    "GitHub": ("Merge pull request #12 from ada/fix\n\nKeep the last line\n\nIt was lost.", 2),
    "GitLab": ("Merge branch 'fix' into 'main'\n\nKeep the last line\n\nIt was lost.\n\nSee merge request a/b!12", 2),
    "GitLab squash": ("Keep the last line\n\nIt was lost.\n\nSee merge request group/sub/lib!12", 1),
    "Bitbucket": ("Merged in fix (pull request #12)\n\nKeep the last line\n\nIt was lost.\n\nApproved-by: Bea", 2),
    "Bitbucket Data Center": (
        "Pull request #12: Keep the last line\n\nMerge in LIB/lib from f to main\n\nIt was lost.",
        2,
    ),
    "Gitea": ("Merge pull request 'Keep the last line' (#12) from ada/fix into main\n\nIt was lost.", 2),
    "Azure": ("Merged PR 12: Keep the last line\n\nIt was lost.\n\nRelated work items: #99", 1),
    "bors": ("Merge #12\n\n12: Keep the last line r=bea a=ada\n\nIt was lost.\n\nCo-authored-by: Ada <a@x>", 2),
    "homu": ("Auto merge of #12 - ada:fix, r=bea\n\nKeep the last line\n\nIt was lost.", 2),
    "by hand": ("Merge Pull Request #12 from ada.\n\nKeep the last line\n\nIt was lost.", 2),
    "squash": ("Keep the last line (#12)\n\nIt was lost.\n\nSigned-off-by: Ada <a@x>", 1),
    "squash of one commit": ("Keep the last line (#12)\n\nKeep the last line\n\nIt was lost.", 1),
    "Gerrit": ("Keep the last line\n\nIt was lost.\n\nChange-Id: I0a1\nReviewed-on: https://r.example/c/lib/+/12", 1),
}


@pytest.mark.parametrize("forge", MERGES)
def test_a_forges_own_words_are_understood(forge: str) -> None:
    message = read_message(*MERGES[forge])
    assert message
    assert (message.number, message.title, message.body) == (12, "Keep the last line", "It was lost.")


@pytest.mark.parametrize(
    "message",
    ["Merge branch 'main' into dev", "Rollup of 3 pull requests", "Mentions #3 and (#4) in the middle", "", "#3"],
)
@pytest.mark.parametrize("parents", [1, 2])
def test_other_commits_name_no_pull_request(message: str, parents: int) -> None:
    assert read_message(message, parents) is None


@pytest.mark.parametrize(
    "text", ["* Keep the last line\n\nIt was lost.\n\n* fix lint", "Keep the last line\n\nIt was lost."]
)
@pytest.mark.parametrize("subject", ["Merge commit from fork", "Merge pull request from GHSA-3669-72x9-r9p3"])
def test_a_security_fix_from_a_private_fork_is_told_by_its_text(subject: str, text: str) -> None:
    message = read_unnumbered(f"{subject}\n\n{text}\n\n---------\n\nCo-authored-by: Ada <a@x>")
    assert (message.number, message.title, message.body) == (0, "Keep the last line", "It was lost.")


def test_a_form_is_taken_out_of_what_was_said() -> None:
    body = "<!--\nPlease read.\n-->\n\n## What type?\n\n- [x] Fix\n- [ ] Feature, which: _replace\nthis line_\n\n"
    text = "## Description\n\nThe last line was lost:\n\n```\n<!-- kept -->\n```\n\n### Done\n\n- [x] the first line"
    rest = "## Checklist\n\n- [x] Tests pass\n- [x] I have read it\n\n## Tickets\n\n- Closes #\n"
    assert clean_text(f"{body}{text}\n\n{rest}") == text


def test_a_list_of_commits_keeps_only_what_says_something() -> None:
    body = (
        "* Quote a path with spaces\n\nIt was split.\n\n* fix lint\n\n* Address review comments\n\n* Update a.py\n\n"
        "* [pre-commit.ci] auto fixes\n\n* Merge branch 'main' into quote\n\nhttps://claude.ai/code/session_01\n\n---"
    )
    assert clean_text(body) == "* Quote a path with spaces\n\nIt was split."


def test_a_bare_merge_is_told_by_its_commits() -> None:
    messages = [
        "Quote a path\n\nIt was split.\n\nSigned-off-by: Ada <a@x>",
        "wip",
        "Merge branch 'main' into fix",
        "typo",
    ]
    assert describe_commits(messages) == "Quote a path\n\nIt was split."
