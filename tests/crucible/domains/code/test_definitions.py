"""Definitions are recognised in more than ten languages."""

import gc
from concurrent.futures import ThreadPoolExecutor

import pytest

from crucible.domains.code.definitions import defined_names, is_public, outline_file, parse_python

LINES = {
    "a.py": ("async def fetch(x):", "fetch"),
    "a.js": ("export const fetch = async (x) => {", "fetch"),
    "a.ts": ("export interface Fetch {", "Fetch"),
    "a.go": ("func (c *Client) Fetch(x int) error {", "Fetch"),
    "a.rs": ("    pub(crate) async fn fetch(x: u8) {", "fetch"),
    "a.java": ("    public static List<String> fetch(int x) {", "fetch"),
    "a.kt": ("    private fun fetch(x: Int) {", "fetch"),
    "a.cs": ("    public async Task<int> Fetch(int x)", "Fetch"),
    "a.rb": ("  def self.fetch!(x)", "fetch!"),
    "a.php": ("    public function fetch($x) {", "fetch"),
    "a.swift": ("  public func fetch(x: Int) -> Int {", "fetch"),
    "a.lua": ("function M.fetch(x)", "fetch"),
    "a.pl": ("sub fetch {", "fetch"),
    "a.c": ("static int fetch(int x)", "fetch"),
    "a.cpp": ("int Client::fetch(int x) {", "fetch"),
}


@pytest.mark.parametrize("path", LINES)
def test_a_definition_is_recognised(path: str) -> None:
    line, name = LINES[path]
    assert defined_names(path, [line]) == {name}
    assert defined_names(path, [f"    # {line}", "    return fetch(x);"]) == set()


def test_python_is_measured() -> None:
    found = outline_file(
        "a.py", "LIMIT = 3\n\n\nclass A:\n    def f(self, x):\n        if x and self:\n            return 1\n"
    )
    assert set(found) == {"LIMIT", "A", "A.f"}
    assert (found["A.f"].lines, found["A.f"].branches) == (3, 2)


def test_groups_of_go_are_opened() -> None:
    group = "type (\n\t// Units by name.\n\tUnits map[string]int\n\n\tShelf struct {\n\t\tsize int\n\t}\n)\n"
    text = f"package a\n\n{group}\nvar x = 1\n\nfunc Read() {{\n\tcount(1)\n}}\n"
    assert set(outline_file("a.go", text)) == {"Units", "Shelf", "Read"}


def test_tests_and_private_names_are_not_public() -> None:
    assert [is_public(name) for name in ("fetch", "_fetch", "test_fetch", "TestFetch", "testament")] == [
        *(True, False, False, False, True)
    ]


def test_threads_read_python_at_the_same_time() -> None:
    """Collecting garbage lets another thread in while a tree is made; Python 3.11 then loses count."""
    text = "def f(x):\n" + "".join(f"    y = [({n} + 1) * 2, {{'k': [1, (2, 3)]}}]\n" for n in range(300))
    before, watch = gc.get_threshold(), lambda *_: None
    gc.callbacks.append(watch)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(len(tree.body) == 1 for tree in pool.map(parse_python, [text] * 80))
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(watch)
