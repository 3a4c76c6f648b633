"""Which files of which packages stand in for addresses of content networks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from crucible.browsing import Exchange
from crucible.domains.web.content_networks import find_wanted_file, read_address
from crucible.domains.web.libraries import MOST_ADDRESSES, Libraries, Package, find_file, gather_libraries
from crucible.domains.web.unreached import describe_unreached

CDNJS = "https://cdnjs.cloudflare.com/ajax/libs"
FONT_AWESOME = "@fortawesome/fontawesome-free"


@pytest.mark.parametrize(
    ("address", "package", "version", "file"),
    [
        ("https://cdn.jsdelivr.net/npm/bootstrap@5.3/dist/css/a.css", "bootstrap", "5.3", "dist/css/a.css"),
        ("https://cdn.jsdelivr.net/npm/chart.js", "chart.js", "", ""),
        ("//unpkg.com/vue@^3.2/dist/vue.global.js", "vue", "^3.2", "dist/vue.global.js"),
        ("https://unpkg.com/@popperjs/core@2?module", "@popperjs/core", "2", ""),
        (f"{CDNJS}/vue/3.2.0/vue.global.js", "vue", "3.2.0", "vue.global.js"),
        (f"{CDNJS}/lodash.js/4.17.21/lodash.min.js", "lodash", "4.17.21", "lodash.min.js"),
        (f"{CDNJS}/three.js/r128/three.min.js", "three", "0.128", "three.min.js"),
        (f"{CDNJS}/font-awesome/6.2.0/css/all.min.css", FONT_AWESOME, "6.2.0", "css/all.min.css"),
        ("https://use.fontawesome.com/releases/v5.3.1/css/all.css", FONT_AWESOME, "5.3.1", "css/all.min.css"),
        ("https://use.fontawesome.com/releases/v5.3.1/webfonts/a.ttf", FONT_AWESOME, "5.3.1", "webfonts/a.ttf"),
        ("https://code.jquery.com/jquery-3.6.0.slim.min.js", "jquery", "3.6.0", "jquery.slim.min.js"),
        ("https://code.jquery.com/ui/1.11.4/jquery-ui.min.js", "jquery-ui-bundle", "1.11.4", "jquery-ui.min.js"),
        ("https://ajax.googleapis.com/ajax/libs/jquery/3.5.1/jquery.min.js", "jquery", "3.5.1", "jquery.min.js"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/4.5.2/js/b.min.js", "bootstrap", "4.5.2", "js/b.min.js"),
        ("http://code.ionicframework.com/ionicons/2.0.1/css/i.css", "ionicons", "2.0.1", "css/i.css"),
        ("https://cdn.tailwindcss.com", "tailwindcss-cdn", "", "tailwindcss.js"),
        ("https://cdn.plot.ly/plotly-2.9.0.min.js", "plotly.js-dist-min", "2.9.0", "plotly.min.js"),
    ],
)  # fmt: skip
def test_an_address_says_which_file_of_which_package_it_means(
    address: str, package: str, version: str, file: str
) -> None:
    wanted = find_wanted_file(read_address(address))
    assert wanted is not None
    assert (wanted.package, wanted.version, wanted.file) == (package, version, file)


@pytest.mark.parametrize(
    "address",
    [
        "https://cdn.jsdelivr.net/npm/jquery@3.6.0/../../../etc/passwd",
        "https://cdn.jsdelivr.net/npm/jquery@3.6.0/%2e%2e/secret.js",
        "https://unpkg.com/git+ssh:somewhere/x.js",
        "https://unpkg.com/UPPER@1/x.js",
        "https://unpkg.com/-g@1/x.js",
        "https://unpkg.com/a@$(id)/x.js",
        "https://cdn.jsdelivr.net/gh/someone/something@1/x.js",
        "https://fonts.googleapis.com/css2?family=Poppins",
        "https://somewhere.example/jquery.js",
    ],
)
def test_an_address_that_names_no_package_means_nothing(address: str) -> None:
    assert find_wanted_file(read_address(address)) is None


@dataclass(frozen=True)
class WrittenPackage:
    """A package of these files."""

    title: str
    files: Mapping[str, str]

    @property
    def sizes(self) -> dict[str, int]:
        return {path: len(text) for path, text in self.files.items()}

    def read(self, *paths: str) -> list[bytes]:
        return [self.files[path].encode() for path in paths]


def test_a_file_is_what_was_built_and_not_what_it_was_built_from() -> None:
    package = WrittenPackage("jquery@3.4.1", {"src/jquery.js": "", "dist/jquery.js": "", "dist/jquery.min.js": ""})
    wanted = find_wanted_file("code.jquery.com/jquery-3.4.1.js")
    assert wanted is not None
    assert find_file(package, wanted) == "dist/jquery.js"


ICONS = {
    "css/all.min.css": "a{src:url(../fonts/a.woff2?v=1),url(../fonts/a.ttf)}",
    "fonts/a.woff2": "w",
    "fonts/a.ttf": "t",
}
PARTS = {
    "dist/a.js": "import './deep/b.js'; export default 1",
    "dist/deep/b.js": "",
    "package.json": '{"module": "dist/a.js"}',
}
BUNDLED = {
    "package.json": json.dumps({"exports": {".": {"import": "./a.js"}}}),
    "a.js": 'import {x} from "y"; export {x}',
}
PACKAGES: dict[tuple[str, str], Package | str] = {
    ("font-awesome", "4.7.0"): WrittenPackage("font-awesome@4.7.0", ICONS),
    ("parts", "1"): WrittenPackage("parts@1.2.0", PARTS),
    ("bundled", ""): WrittenPackage("bundled@2.0.0", BUNDLED),
    ("gone", ""): "the registry has no gone@latest",
}  # fmt: skip


class WrittenPackages:
    """Packages that need no registry; remembers how many were asked for."""

    asked = 0

    async def fetch(self, wanted: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], Package | str]:
        self.asked += len(wanted)
        return {key: PACKAGES.get(key, "none") for key in wanted}


async def gather(*addresses: str) -> Libraries:
    return await gather_libraries(addresses, WrittenPackages())


async def test_what_a_style_sheet_names_comes_along() -> None:
    home = "cdnjs.cloudflare.com/ajax/libs/font-awesome/4.7.0"
    libraries = await gather(f"https://{home}/css/all.min.css")
    assert set(libraries.provided) == {f"{home}/css/all.min.css", f"{home}/fonts/a.woff2?v=1"}
    assert libraries.provided[f"{home}/css/all.min.css"].kind.startswith("text/css")
    assert libraries.origins == {f"{home}/css/all.min.css": "font-awesome@4.7.0/css/all.min.css"}


async def test_modules_come_with_those_that_they_import_and_folders_as_a_whole() -> None:
    libraries = await gather("https://unpkg.com/parts@1/dist/a.js", "https://unpkg.com/parts@1/dist/")
    home = "unpkg.com/parts@1/dist"
    assert set(libraries.provided) == {f"{home}/a.js", f"{home}/deep/b.js"}
    assert not libraries.reasons


async def test_what_cannot_be_had_is_told_with_the_reason() -> None:
    libraries = await gather(
        "https://unpkg.com/gone",
        "https://esm.sh/bundled",
        "https://unpkg.com/parts@1/no.js",
        "https://unpkg.com/A",
        "https://fonts.googleapis.com/css2?family=Poppins",
    )
    assert list(libraries.reasons.values()) == [
        "it is no file of a package that is known",
        "the registry has no gone@latest",
        "bundled@2.0.0/a.js is no module that a page could import as it is",
        "parts@1.2.0 has no no.js",
    ]
    assert not libraries.provided


async def test_thousands_of_addresses_ask_for_few_packages() -> None:
    packages = WrittenPackages()
    libraries = await gather_libraries([f"https://unpkg.com/p{number}/x.js" for number in range(5000)], packages)
    assert packages.asked < MOST_ADDRESSES
    assert len(libraries.reasons) <= MOST_ADDRESSES


def test_what_was_out_of_reach_is_named_but_for_typefaces() -> None:
    urls = ("https://unpkg.com/gone", "https://fonts.googleapis.com/css2?family=Poppins", "http://localhost:8000/a.js")
    typeface = "https://letters.example.com/poppins.woff2?v=2"
    exchanges = [Exchange(method="GET", url=url) for url in (*urls, typeface)]
    told = describe_unreached(
        exchanges, "http://localhost:8000/", {"unpkg.com/gone": "the registry has no gone@latest"}
    )
    assert told == "; out of reach: unpkg.com/gone (the registry has no gone@latest)"
    assert describe_unreached(exchanges[1:], "http://localhost:8000/", {}) == ""
