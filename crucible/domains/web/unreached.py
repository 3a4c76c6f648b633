"""Says in the evidence what a page has asked other hosts for in vain: a fault may be due to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from crucible.browsing import Exchange
from crucible.domains.web.content_networks import read_address, read_library_rules

MOST_TOLD, ADDRESS_CHARS = 3, 120
TYPEFACES = (".woff2", ".woff", ".ttf", ".otf", ".eot")
UNKNOWN = "no other host can be reached"


def describe_unreached(exchanges: Iterable[Exchange], url: str, reasons: Mapping[str, str]) -> str:
    """What was out of reach, to stand at the end of a fault, with the reasons that are known; empty where nothing was.
    Typefaces are not missed."""
    own, unmissed = urlsplit(url).netloc, read_library_rules().unmissed
    asked = [each.url for each in exchanges if not each.status and each.url.startswith(("http://", "https://"))]
    addresses = dict.fromkeys(read_address(address) for address in asked if urlsplit(address).netloc != own)
    told = [
        f"{address[:ADDRESS_CHARS]} ({reasons.get(address, UNKNOWN)})"
        for address in addresses
        if address in reasons
        or not (address.partition("/")[0] in unmissed or urlsplit(f"//{address}").path.endswith(TYPEFACES))
    ]
    more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return f"; out of reach: {', '.join(told[:MOST_TOLD])}{more}" if told else ""
