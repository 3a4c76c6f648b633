"""A diff is taken apart as git wrote it."""

import pytest

from crucible.errors import Undecided
from verifiers.attempt_diff import AddedLine, added_lines, touched_paths

ODD = """diff --git "a/caf\\303\\251/conftest.py" "b/caf\\303\\251/conftest.py"
new file mode 100644
index 0000000..587be6b
--- /dev/null
+++ "b/caf\\303\\251/conftest.py"
@@ -0,0 +1,2 @@
+++ b/not/a/header.py
+x
diff --git a/old.py b/new.py
similarity index 100%
rename from old.py
rename to new.py
diff --git a/bin b/bin
index bdc955b..852e4ee 100644
GIT binary patch
literal 4
LcmZQzs;UA20eArS

literal 2
JcmZQz1ONa700IC2

diff --git a/empty.py b/empty.py
new file mode 100644
index 0000000..e69de29
"""


def test_every_name_is_found_even_a_quoted_one() -> None:
    assert touched_paths(ODD.encode()) == ("bin", "café/conftest.py", "empty.py", "new.py", "old.py")


def test_a_line_that_looks_like_a_header_is_a_line() -> None:
    lines = list(added_lines(ODD.encode()))
    assert lines[0] == AddedLine(path="café/conftest.py", number=1, text="++ b/not/a/header.py")
    assert len(lines) == 2


def test_an_empty_diff_touches_nothing() -> None:
    assert touched_paths(b"") == ()


def test_bytes_that_are_not_utf8_do_no_harm() -> None:
    diff = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+\xff\n"
    assert [line.text for line in added_lines(diff)] == ["\\xff"]


def test_a_diff_that_cannot_be_read_is_undecided() -> None:
    with pytest.raises(Undecided):
        touched_paths(b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n")
