"""The rules of looks by name, and what comes of them over all widths and states of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from crucible.domains.looks.findings import Finding, Measured
from crucible.domains.looks.measures import measure_picture
from crucible.domains.web.looks import fitting, legibility, order, style
from crucible.domains.web.looks.facts import Seen
from crucible.domains.web.looks.limits import Limits, RuleRow, load_table

Rule = Callable[[Seen, Limits], Measured]

RULES: dict[str, Rule] = {
    "overflow": fitting.find_overflow,
    "images": fitting.find_bad_images,
    "contrast": legibility.find_low_contrast,
    "invisible": legibility.find_invisible,
    "overlap": legibility.find_overlapping,
    "cut-off": fitting.find_cut_text,
    "alignment": order.find_misaligned,
    "rhythm": order.find_uneven_gaps,
    "crowding": order.find_crowded,
    "type": style.measure_type,
    "palette": style.measure_palette,
    "hierarchy": style.measure_hierarchy,
    "primary-action": style.find_rival_actions,
    "default-style": style.find_default_style,
    "gradients": style.find_gradients,
    "touch": fitting.find_small_targets,
    "phone": fitting.find_phone_faults,
}
"""A rule says of a page at one width how much of what it looks at is right."""


@dataclass(frozen=True)
class Ruled:
    """What a rule says of a page, over all widths and states: the worst of them."""

    rule: str
    asks: str
    weight: float
    passed: bool
    share: float
    evidence: str
    worst: Seen
    findings: tuple[Finding, ...]
    """Where, in the worst."""
    grave: bool = False
    """Whether it is so far from being met that the application cannot be used."""


def apply_rules(looks: Sequence[Seen]) -> Iterable[Ruled]:
    """Every rule of the table, in its order. There is at least one look at each width."""
    table = load_table()
    for name, row in table.rules.items():
        measured = [(seen, RULES[name](seen, table.limits)) for seen in looks if _is_asked(row, seen, table.widths)]
        worst, found = min(measured, key=lambda each: each[1].share)
        passed = found.share >= row.least
        evidence = f"at {worst.width} px{f' after {worst.state}' if worst.state else ''}: {found.said}"
        grave = found.share < row.grave
        yield Ruled(name, row.asks, row.weight, passed, found.share, evidence, worst, found.findings, grave)


def rate_whole(looks: Sequence[Seen], ruled: Sequence[Ruled]) -> Ruled:
    """The soft term, always met, to a degree: half of it is how far the rules are met, those that are not included, and
    half what the measures of the first, wide picture come to."""
    measures = measure_picture(looks[0].pixels)
    met = sum(each.weight * each.share for each in ruled) / sum(each.weight for each in ruled)
    evidence = f"rules are met by {met:.2f}; the picture is rated {measures.rate():.2f}: {measures.describe()}"
    share, weight = (met + measures.rate()) / 2, load_table().whole_weight
    return Ruled("whole", "the page pleases as a whole", weight, True, share, evidence, looks[0], ())


def score_looks(looks: Sequence[Seen]) -> float:
    """What the rules and the page as a whole come to, by weight, from 0 to 1: what pages are ranked by."""
    ruled = list(apply_rules(looks))
    ruled.append(rate_whole(looks, ruled))
    return sum(each.weight * each.share for each in ruled if each.passed) / sum(each.weight for each in ruled)


def _is_asked(row: RuleRow, seen: Seen, widths: Sequence[int]) -> bool:
    return row.at == "all" or seen.width == (widths[0] if row.at == "wide" else widths[-1])
