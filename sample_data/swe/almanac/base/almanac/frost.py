"""Frosts in a list of daily temperatures."""


def days(temperatures):
    """How many days had frost."""
    return sum(1 for temperature in temperatures if temperature < 0)


def longest(temperatures):
    """The most days with frost in a row."""
    best = 0
    for start in range(len(temperatures)):
        for end in range(start + 1, len(temperatures) + 1):
            if all(one < 0 for one in temperatures[start:end]):
                best = max(best, end - start)
    return best
