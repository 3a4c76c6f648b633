"""A sentence that quotes a fragment of the fix goes; what is asked for stays."""

import pytest

from pipelines.swe.statements.quoted_code import cut_quoted_code
from pipelines.swe.statements.told_tokens import measure_told_share

PATCH = """--- a/lib/keys.py
+++ b/lib/keys.py
@@ -1,3 +1,9 @@
 def find(key, strict=False):
-    raise KeyError("no key %r" % nkey)
+    # find(key, default) is not meant
+    if nkey is None or size == 0:
+        return cache.get(nkey, None)
+    raise KeyError("no key %r" % (nkey,))
+def find_all(keys, strict=True):
+    functools.partial(find, strict=strict)
+    warn("use find(all) instead")
+    return find_all(keys, strict)
"""
TESTS = """--- a/tests/test_keys.py
+++ b/tests/test_keys.py
@@ -1 +1,2 @@
+    assert find_all(keys, functools.partial(find, strict=strict))
"""
PROBLEM = "Fix tuple keys\n\nA key that is a tuple fails with `TypeError: not all arguments converted`."


def cut(sentence: str, tests: str = "", base: str = "") -> str:
    return cut_quoted_code(f"{PROBLEM} {sentence}", PATCH, tests, base.__contains__)


@pytest.mark.parametrize(
    "sentence",
    [
        "The message wraps the key in a single-element tuple (`% (nkey,)`) before it is formatted.",
        "So wrap the key, e.g. `% (nkey,)`, in a\ntuple first.",
        "Use `cache.get(nkey,None)`!",
        "`functools.partial` does it.",
    ],
)
def test_a_sentence_that_quotes_code_of_the_fix_is_cut(sentence: str) -> None:
    assert cut(sentence) == PROBLEM
    assert cut(f"{sentence}\nIt was so in 1.2, too.").split() == f"{PROBLEM} It was so in 1.2, too.".split()


def test_an_item_of_a_list_goes_and_its_neighbours_stay() -> None:
    assert cut("\n\n- one\n- so: `% (nkey,)`\n- two") == f"{PROBLEM} \n\n- one\n- two"


def test_of_a_title_only_the_quotation_goes() -> None:
    assert cut_quoted_code("Wrap keys (`% (nkey,)`) of tuples", PATCH, "", "".__contains__) == "Wrap keys of tuples"
    assert cut_quoted_code("Say `% (nkey,)` once\n\nMore.", PATCH, "", "".__contains__) == "Say once\n\nMore."


@pytest.mark.parametrize(
    "sentence",
    [
        "`nkey` may be `None`, and `find()` fails.",
        "It should be found when `size == 0`.",
        '`"no key %r"` is what it says.',
        "Call `find_all(keys, strict=True)` for all, or `keys.find_all(keys, strict)`.",
        "`find_all(keys, strict)` is new.",
        "`find(key, default)` was never there, and `find(all)` neither.",
        "`% nkey` is wrong.",
        "```\ncache.get(nkey, None)\n```",
    ],
)
def test_names_cases_texts_signatures_and_what_was_there_before_stay(sentence: str) -> None:
    assert cut(sentence) == f"{PROBLEM} {sentence}"


def test_what_the_base_has_and_what_the_tests_say_is_no_secret() -> None:
    assert "cache" in cut("Use `cache.get(nkey, None)`.", base="x = cache.get(nkey, None)")
    assert "partial" in cut("Use `functools.partial`.", tests=TESTS)


def test_the_share_of_new_words_that_a_statement_tells_is_measured() -> None:
    base = {"lib/keys.py": "import functools\nsize = 0\nwarn = print\n"}
    # New are: cache get None default not meant is or if find_all keys partial use all instead return
    none = measure_told_share("Tuples fail.", PATCH, lambda path: base[path])
    some = measure_told_share("Ask the cache, by find_all, instead.", PATCH, lambda path: base[path])
    all_of_it = measure_told_share(PATCH, PATCH, lambda path: base[path])
    assert (none, all_of_it) == (0.0, 1.0)
    assert 0.1 < some < 0.4
    assert measure_told_share("x", "", lambda path: "") == 0.0
