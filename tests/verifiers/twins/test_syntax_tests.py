"""How assertions are altered in the languages that have a grammar."""

from __future__ import annotations

import pytest

from tests.verifiers.twins.drafted import altered_texts, replacements
from verifiers.twins import apply_twins, draft_twins

GO = "package a\n\nfunc TestIt(t *testing.T) {\n\tCLAIM\n}\n"
RUST = """fn helper() {
    assert_eq!(1, 99);
}

#[cfg(test)]
mod tests {
    #[test]
    fn it() {
        CLAIM
    }
}
"""
JAVA = """import static org.junit.Assert.*;

class ShelfTest {
    @Test
    public void it() {
        CLAIM
    }
}
"""
C = "static void test_it(void)\n{\n    CLAIM\n}\n"
CPP = "TEST(Shelf, It) {\n  CLAIM\n}\n"
RUBY = "class TestShelf < Minitest::Test\n  def test_it\n    CLAIM\n  end\nend\n"
RSPEC = "describe 'a shelf' do\n  it 'works' do\n    CLAIM\n  end\nend\n"
PHP = "<?php\nclass ShelfTest extends TestCase\n{\n    public function testIt(): void\n    {\n        CLAIM\n    }\n}\n"
SHELL = "CLAIM\n"

VALUES = [
    ("a_test.go", GO, 'if got := f(1); got != "abc" { t.Errorf("bad") }', "abc"),
    ("a_test.go", GO, "want := 47\n\tif got := f(1); got != want { t.Fatal(got) }", "47"),
    ("a_test.go", GO, 'for _, c := range []T{{name: "a", want: 47}} { check(c) }', "47"),
    ("a_test.go", GO, "assert.Equal(t, 47, f(1))", "47"),
    ("a.rs", RUST, "assert_eq!(f(1), 47);", "47"),
    ("a.rs", RUST, 'assert!(f(1) == "abc");', "abc"),
    ("AT.java", JAVA, "assertEquals(47L, f(1));", "47L"),
    ("AT.java", JAVA, 'assertThat(f(1)).isEqualTo("abc");', "abc"),
    ("AT.java", JAVA, "assertThat(f(1), is(47));", "47"),
    ("a.c", C, "assert(f(1) == 47);", "47"),
    ("a.c", C, 'if (strcmp(f(1), "abc") != 0) abort();', "0"),
    ("a.c", C, 'CHECK(strcmp(f(1), "abc") == 0);', "abc"),
    ("a.c", C, "ck_assert_int_eq(f(1), 47);", "47"),
    ("a.cpp", CPP, 'EXPECT_EQ(f(1), "abc");', "abc"),
    ("a.rb", RUBY, "assert_equal ['abc'], f(1)", "abc"),
    ("a_spec.rb", RSPEC, "expect(f(1)).to eq(47)", "47"),
    ("a.php", PHP, "self::assertSame(47, f(1));", "47"),
    ("a.php", PHP, "$this->assertEquals(['abc'], f(1));", "abc"),
    ("a.sh", SHELL, "test \"$(f 1)\" = 'abc'", "'abc'"),
    ("a.sh", SHELL, '[ "$(f 1)" -eq 47 ]', "47"),
    ("a.sh", SHELL, 'assertEquals 47 "$x"', "47"),
]
REVERSALS = [
    ("a_test.go", GO, "if err != nil || x { t.Fatal(err) }", "if err == nil || x { t.Fatal(err) }"),
    ("a_test.go", GO, "if !f() { t.Fatal() }", "if f() { t.Fatal() }"),
    ("a_test.go", GO, "require.NoError(t, err)", "require.Error(t, err)"),
    ("a.rs", RUST, "assert_eq!(a, b);", "assert_ne!(a, b);"),
    ("a.rs", RUST, 'assert!(a.ok(), "why");', 'assert!(!a.ok(), "why");'),
    ("a.rs", RUST, "assert!(!a.ok());", "assert!(a.ok());"),
    ("a.rs", RUST, "assert!(a.is_some());", "assert!(a.is_none());"),
    ("AT.java", JAVA, "assertTrue(f());", "assertFalse(f());"),
    ("AT.java", JAVA, "assertThat(f()).isNull();", "assertThat(f()).isNotNull();"),
    ("a.c", C, "assert(f() == g());", "assert(f() != g());"),
    ("a.c", C, "assert(!f());", "assert(f());"),
    ("a.cpp", CPP, "ASSERT_TRUE(f());", "ASSERT_FALSE(f());"),
    ("a.rb", RUBY, "assert f.ok?", "refute f.ok?"),
    ("a_spec.rb", RSPEC, "expect(f).not_to be_nil", "expect(f).to be_nil"),
    ("a.php", PHP, "$this->assertNull(f());", "$this->assertNotNull(f());"),
    ("a.sh", SHELL, '[ -z "$x" ]', '[ -n "$x" ]'),
    ("a.sh", SHELL, 'test "$x" = "$y"', 'test "$x" != "$y"'),
]


@pytest.mark.parametrize(("path", "frame", "claim", "value"), VALUES)
def test_an_expected_value_is_altered(path: str, frame: str, claim: str, value: str) -> None:
    text = frame.replace("CLAIM", claim)
    assert value in [old for old, _ in replacements(path, text)]


@pytest.mark.parametrize(("path", "frame", "claim", "turned"), REVERSALS)
def test_a_condition_is_turned_round(path: str, frame: str, claim: str, turned: str) -> None:
    text, wanted = (frame.replace("CLAIM", text) for text in (claim, turned))
    assert wanted in altered_texts(path, text)


@pytest.mark.parametrize(
    ("path", "frame", "claim", "turned"),
    [
        ("a.rb", RUBY, "assert f.age > 25", "assert f.age < 25"),
        ("a.rb", RUBY, "assert_operator f.age, :>=, 25", "assert_operator f.age, :<, 25"),
        ("a_spec.rb", RSPEC, "expect(f.age).to be > 25", "expect(f.age).to be < 25"),
    ],
)
def test_where_signs_may_be_redefined_a_bound_is_asked_for_on_its_other_side(
    path: str, frame: str, claim: str, turned: str
) -> None:
    text, wanted = (frame.replace("CLAIM", text) for text in (claim, turned))
    twin = draft_twins({path: text}, seed="1")[0]
    assert (apply_twins({path: text}, [twin])[path], twin.is_value) == (wanted, True)


@pytest.mark.parametrize(
    ("path", "frame", "claim", "failing"),
    [
        ("a_test.go", GO, "f()", "f()\n\tif got, want := "),
        ("a.rs", RUST, "f();", "f();\n        assert_eq!("),
        ("AT.java", JAVA, "f();", "f();\n        assertEquals("),
        ("a.rb", RUBY, "f()", "f()\n    "),
        ("a.php", PHP, "f();", "f();\n        $this->assertSame("),
    ],
)
def test_a_test_without_an_assertion_gets_one_that_fails(path: str, frame: str, claim: str, failing: str) -> None:
    assert any(failing in altered for altered in altered_texts(path, frame.replace("CLAIM", claim)))


def test_code_around_inline_tests_stays() -> None:
    text = RUST.replace("CLAIM", "assert_eq!(f(1), 47);")
    twins = draft_twins({"src/lib.rs": text}, seed="1")
    assert {twin.test for twin in twins} == {"tests > it"}


def test_the_opposite_of_an_assertion_is_used_only_where_it_is_imported() -> None:
    text = JAVA.replace("CLAIM", "assertEquals(f(), g());")
    alone = text.replace("Assert.*", "Assert.assertEquals")
    assert ("assertEquals", "assertNotEquals") in replacements("AT.java", text)
    assert ("assertEquals", "assertNotEquals") not in replacements("AT.java", alone)


def test_another_exception_is_not_always_the_same() -> None:
    text = RUBY.replace("CLAIM", "assert_raises(ArgumentError) { f }")
    chosen = {twin.text for seed in range(20) for twin in draft_twins({"a.rb": text}, seed=str(seed))}
    assert len(chosen) > 2


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.cc", "TEST(Shelf, Adds) {\n  EXPECT_EQ(f(), 47);\n}\n", "Shelf > Adds"),
        ("a.cc", 'TEST_CASE("adds") {\n  REQUIRE(f() == 47);\n}\n', "adds"),
        ("a.c", "static void test_adds(void **state)\n{\n  assert_int_equal(f(), 47);\n}\n", "test_adds"),
        ("a.c", "int main(void)\n{\n  assert(f() == 47);\n}\n", ""),
    ],
)
def test_a_test_in_c_is_named_as_its_framework_names_it(path: str, text: str, name: str) -> None:
    assert {twin.test for twin in draft_twins({path: text}, seed="1")} == {name}


@pytest.mark.parametrize(
    ("path", "text", "claim"),
    [
        ("a_test.go", GO, 'check.Same(t, f(1), "abc")'),
        ("a.rs", RUST, 'check_same(f(1), "abc");'),
        ("AT.java", JAVA, 'Check.same(f(1), "abc");'),
        ("a.rb", RUBY, "check_same(f(1), 'abc')"),
        ("a.php", PHP, "Check::same(f(1), 'abc');"),
        ("test_a.py", "def test_it():\n    CLAIM\n", "check_same(f(1), 'abc')"),
    ],
)
def test_what_a_test_hands_to_a_helper_is_altered_before_it_is_made_to_fail(path: str, text: str, claim: str) -> None:
    found = [before.strip("'") for before, _ in replacements(path, text.replace("CLAIM", claim))]
    assert found == ["abc", ""], "what is handed to the code under test stays"
