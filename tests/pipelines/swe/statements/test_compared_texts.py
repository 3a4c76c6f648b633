"""Texts that tests compare are known as the code puts them together."""

from pipelines.swe.statements.compared_texts import match_texts


def test_a_message_that_is_put_together_is_told_as_it_is_compared() -> None:
    code = 'raise ValueError(\n    f"{name} must be at least "\n    f"{least}, not more"\n)'
    tests = 'with raises(ValueError, match=r"size must be at least \\(3\\), not more"): ...'
    [(text, origin)] = match_texts(tests, code)
    assert text == "size must be at least (3), not more"
    assert origin == "{name} must be at least {least}, not more"
