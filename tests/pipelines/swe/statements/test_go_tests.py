"""Rows of Go's tables are told with the names of their fields, and short tests whole."""

from pipelines.swe.statements.go_tests import find_expectations, find_fresh_rows

SOURCE = """package a

func TestCheck(t *testing.T) {
	tests := []struct {
		constraint, version string
		check bool
	}{
		{"1.x", "1.2", true},
		{"*-0", "1.2-a", true},
		{
			"^0",
			"1.0", false,
		},
	}
	for _, test := range tests {
		t.Error(test)
	}
}

func TestNamed(t *testing.T) {
	for _, test := range []row{
		{in: "a}", out: "b"},
	} {
		use(test)
	}
}
"""


def fresh_rows(*fresh: str, functions: tuple[str, ...] = ("TestCheck", "TestNamed")) -> list[str]:
    return list(find_fresh_rows(SOURCE, functions, fresh))


def test_a_row_that_is_new_is_told_with_its_fields() -> None:
    assert fresh_rows('{"*-0", "1.2-a", true},') == ['constraint, version, check: {"*-0", "1.2-a", true}']


def test_a_row_over_several_lines_is_told_whole_and_only_if_all_of_it_is_new() -> None:
    assert fresh_rows('"^0",', '"1.0", false,') == ['constraint, version, check: { "^0", "1.0", false, }']
    assert fresh_rows('"^0",') == []


def test_a_row_that_names_its_fields_needs_no_names() -> None:
    assert fresh_rows('{in: "a}", out: "b"},') == ['{in: "a}", out: "b"}']


def test_rows_of_other_tests_are_not_fresh_rows() -> None:
    assert fresh_rows('{"*-0", "1.2-a", true},', functions=("TestNamed",)) == []


def test_a_test_is_told_whole_when_it_is_new() -> None:
    source = "func TestTwo(t *testing.T) {\n\tif Double(1) != 2 {\n\t\tt.Error(1)\n\t}\n}\n"
    fresh = [line.strip() for line in source.splitlines()]
    assert list(find_expectations(source, ["TestTwo"], fresh)) == ["// TestTwo\nif Double(1) != 2 {\n    t.Error(1)\n}"]
    assert (
        list(find_expectations(source, ["TestTwo"], fresh[1:]))
        == list(find_expectations(source, ["TestOther"], fresh))
        == []
    )


def test_what_is_new_in_a_mere_list_is_told_with_its_name_where_nothing_else_is() -> None:
    values = '\t\t"/",\n\t\t"/a/:x",\n\t\t"/b/*y",\n'
    source = f"func TestPaths(t *testing.T) {{\n\troutes := [...]string{{\n{values}\t}}\n\tuse(routes)\n}}\n"
    assert list(find_expectations(source, ["TestPaths"], ['"/b/*y",'])) == ['routes: "/b/*y"']
    assert list(find_expectations(source, ["TestPaths"], ['"/b/*y",', "use(routes)"])) == []
    whole = list(find_expectations(source, ["TestPaths"], [line.strip() for line in source.splitlines()]))
    assert whole == ['// TestPaths\nroutes := [...]string{\n    "/",\n    "/a/:x",\n    "/b/*y",\n}\nuse(routes)']


def test_rows_stand_below_the_name_of_their_test() -> None:
    fresh = ['{"1.x", "1.2", true},', '{"*-0", "1.2-a", true},', '{in: "a}", out: "b"},']
    fields = "constraint, version, check: "
    assert list(find_expectations(SOURCE, ["TestCheck", "TestNamed"], fresh)) == [
        f'// TestCheck\n{fields}{{"1.x", "1.2", true}}',
        f'{fields}{{"*-0", "1.2-a", true}}',
        '// TestNamed\n{in: "a}", out: "b"}',
    ]


def test_of_new_rows_those_that_fail_are_told_by_number_or_by_a_text_in_them() -> None:
    fresh = ['{"1.x", "1.2", true},', '{"*-0", "1.2-a", true},', '"^0",', '"1.0", false,']
    second = '// TestCheck\nconstraint, version, check: {"*-0", "1.2-a", true}'
    assert list(find_expectations(SOURCE, ["TestCheck", "TestCheck/#01"], fresh)) == [second]
    assert list(find_expectations(SOURCE, ["TestCheck", "TestCheck/#01"], ["use(test)"])) == [second]
    assert list(find_expectations(SOURCE, ["TestCheck", "TestCheck/1.2-a"], fresh)) == [second]
    assert len(list(find_expectations(SOURCE, ["TestCheck", "TestCheck/other"], fresh))) == 3


def test_what_fails_of_every_row_is_told_with_the_name_of_the_test() -> None:
    parts = ["TestNamed", *(f"TestNamed/#00{part}" for part in ("", "/Pointer", "/Pointer/ToE", "/Pointer/To"))]
    assert list(find_expectations(SOURCE, parts, [])) == ['// TestNamed: Pointer/To, Pointer/ToE\n{in: "a}", out: "b"}']


def test_of_a_long_test_that_is_new_the_beginning_is_told_and_what_it_puts_in_is_no_table() -> None:
    data = '\tdata := map[string][]string{\n\t\t"F3": {"a"},\n\t}\n'
    source = f"func TestMany(t *testing.T) {{\n{data}" + "\tuse(data)\n" * 60 + "}\n"
    fresh = [line.strip() for line in source.splitlines()]
    [told] = find_expectations(source, ["TestMany"], fresh)
    assert told.startswith('// TestMany\ndata := map[string][]string{\n    "F3": {"a"},\n}\nuse(data)')
    assert told.endswith("use(data)\n...")
    assert list(find_expectations(source, ["TestMany"], ['"F3": {"a"},'])) == []
