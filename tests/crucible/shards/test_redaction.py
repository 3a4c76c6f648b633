"""Secrets do not leave, and what is no secret stays as it is."""

from __future__ import annotations

import json

import pytest

from crucible.model import Trajectory
from crucible.shards.redaction import Redactor, may_hold_secrets, secret_rules
from tests.exporters import attempts

LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fR3uX6zA"
SECRETS = {
    "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "aws-key": "AKIA" + "ABCDEFGHIJKLMNOP",
    "aws-secret": "aws_secret_access_key = " + (LETTERS + LETTERS)[:40],
    "github-token": "ghp_" + LETTERS[:36],
    "gitlab-token": "glpat-" + LETTERS[:20],
    "api-key": "sk-" + "proj-" + LETTERS[:32],
    "chat-token": "xoxb-" + "123456789012-abcdef",
    "web-token": f"eyJ{LETTERS[:20]}.eyJ{LETTERS[:20]}.{LETTERS[:20]}",
    "bearer": f"Authorization: Bearer {LETTERS}",
    "basic-auth": "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "url-password": "postgresql://me:hunter2@db.example.org/x",
}
"""Made up, and in pieces, so that nobody's scanner takes this file for a leak."""
HARMLESS = [
    "task-abcdefghijklmnopqrstuvwxyz-0123456789",
    "see https://example.org:8080/a@b and me@example.org",
    "AKIA is a prefix; bearer of bad news; the private key is in the safe",
    "gh_actions, hf_hub, npm_config_registry",
    "git@example.org:shelf/books.git",
]


def washed(*texts: str) -> tuple[str, dict[str, int]]:
    """All texts at once, in every place of an attempt."""
    task = attempts.task()
    steps = [attempts.step(text, text, attempts.call("a", json.dumps({"command": text}))) for text in texts]
    one, wash = attempts.attempt(task, *steps), Redactor()
    return wash.redact_record(one, one.model_dump_json()).model_dump_json(), dict(wash.redacted)


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_taken_out_wherever_it_stands_and_counted(kind: str) -> None:
    secret = "MIIEow" if kind == "private-key" else SECRETS[kind].split()[-1].rpartition(":")[2].partition("@")[0]
    text, counts = washed(f"first\n{SECRETS[kind]}\nlast")
    assert secret not in text
    assert f"[REDACTED:{kind}]" in text
    assert counts == {kind: 3}
    assert "first" in text
    assert "last" in text


def test_every_kind_has_its_example() -> None:
    assert {secret.kind for secret, _ in secret_rules()} == set(SECRETS)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_one_stays(text: str) -> None:
    task = attempts.task()
    one = attempts.attempt(task, attempts.step(text, text))
    wash = Redactor()
    assert wash.redact_record(one, one.model_dump_json()) == one
    assert not wash.redacted


@pytest.mark.parametrize("kind", SECRETS)
def test_a_record_with_a_secret_is_suspect_and_an_ordinary_one_is_not(kind: str) -> None:
    task = attempts.task()
    ordinary = attempts.shapes(task)["native"]
    leaky = attempts.attempt(task, attempts.step(f"first\n{SECRETS[kind]}", ""))
    hidden = attempts.attempt(task, attempts.step("", "", attempts.call("a", json.dumps({"x": f"\n{SECRETS[kind]}"}))))
    assert [may_hold_secrets(one.model_dump_json()) for one in (ordinary, leaky, hidden)] == [False, True, True]


def test_arguments_are_still_json_when_a_secret_spans_two_of_them() -> None:
    begin, end = SECRETS["private-key"].split("\nMIIEow\n")
    arguments = json.dumps({"a": begin, "b": "x", "c": end})
    one = attempts.attempt(attempts.task(), attempts.step("", "", attempts.call("a", arguments)))
    clean = Redactor().redact_record(one, one.model_dump_json())
    assert set(json.loads(clean.steps[0].calls[0].arguments)) == {"a", "b", "c"}


def test_nul_and_half_characters_are_replaced_and_whole_ones_stay() -> None:
    arguments = '{"a": "\\u0000", "b": "\\ud83d\\ude80", "c": "\\ud83d", "d": "\\\\u0000"}'
    one = attempts.attempt(attempts.task(), attempts.step("a\0b", "", attempts.call("a", arguments)))
    clean: Trajectory = Redactor().redact_record(one, one.model_dump_json())
    assert clean.steps[0].thinking == "a␀b"
    assert clean.steps[0].calls[0].arguments == (
        '{"a": "\\u2400", "b": "\\ud83d\\ude80", "c": "\\ufffd", "d": "\\\\u0000"}'
    )
