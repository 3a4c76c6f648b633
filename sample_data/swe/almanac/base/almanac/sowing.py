"""When to sow."""

WEEKS = {"beans": (19, 27), "carrots": (11, 28), "spinach": (10, 20)}
"""The first and the last week of the year, by what is sown."""


def weeks(plant):
    """The weeks in which a plant is sown."""
    first, last = WEEKS[plant]
    return list(range(first, last))


def sown_in(week):
    """What is sown in a week, by name."""
    return sorted(plant for plant in WEEKS if week in weeks(plant))
