"""Reading a Stack Exchange dump into threads, against a bare `lxml.iterparse` over the same file.

python -m benchmarks.posts [--megabytes 2000]
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

from lxml import etree

from pipelines.terminal.posts.source import read_threads

TAGS = ("<bash><sed>", "<java><spring>", "<python>", "<css><html>", "<linux><find>", "<c++>")
WORDS = ("file", "the", "directory", "how", "<code>ls -l</code>", "error", "&amp;", "output", "with", "line\n")


def main() -> None:
    """Print the speed of both, their ratio, and the most memory that was used."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=300)
    megabytes = parser.parse_args().megabytes
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "Posts.xml")
        write_dump(path, megabytes << 20)
        bare = time_of(lambda: sum(1 for _ in bare_rows(path)), path)
        ours = time_of(lambda: sum(1 for _ in read_threads(path, Path(folder))), path)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"posts: {ours:.0f} MB/s, bare lxml.iterparse {bare:.0f} MB/s: ratio {ours / bare:.2f} (0.5 wanted)")
    print(f"posts: at most {memory} MB of memory over a dump of {megabytes} MB (300 wanted)")


def time_of(work: object, path: Path) -> float:
    """Megabytes a second of a pass over the file."""
    assert callable(work)
    began = time.perf_counter()
    work()
    return path.stat().st_size / 1e6 / (time.perf_counter() - began)


def bare_rows(path: Path) -> Iterator[etree._Element]:
    for _, element in etree.iterparse(str(path), tag="row", huge_tree=True):
        yield element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def write_dump(path: Path, size: int) -> None:
    """A dump of about that size: a question, then answers to earlier ones."""
    chance = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        number = 0
        while file.tell() < size:
            for _ in range(500):
                number += 1
                file.write(make_row(number, chance))
        file.write("</posts>\n")


def make_row(number: int, chance: random.Random) -> str:
    body = quoteattr("<p>" + " ".join(chance.choices(WORDS, k=chance.randint(40, 400))) + "</p>")
    if number % 3 == 1:
        facts = f'PostTypeId="1" AcceptedAnswerId="{number + 1}" Tags={quoteattr(chance.choice(TAGS))} Title="t"'
    else:
        facts = f'PostTypeId="2" ParentId="{max(1, number // 3 * 3 - 2)}"'
    return f'  <row Id="{number}" {facts} CreationDate="2015-01-01T00:00:00.000" Score="3" Body={body} />\n'


if __name__ == "__main__":
    main()
