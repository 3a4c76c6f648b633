"""A question needs a folder or a repository that has what it is about, and nothing is done that nobody asked for."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.repositories import Repository
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from crucible.domains.terminal.services import WebService
from crucible.errors import Rejected
from pipelines.terminal.drafting.effects import list_facts
from pipelines.terminal.drafting.relevance import check_deeds, check_points, check_relevance, missing_field
from pipelines.terminal.model import Thread
from tests.flows.toy import Nowhere
from tests.pipelines.terminal.drafted import make_draft

COMMIT = "0123456789 parents ({parents}) tree 1 by Robin: Start"


def repository_facts(parents: str) -> list[str]:
    return Repository(head="main", commits=(COMMIT.format(parents=parents),)).lines()


def thread(title: str) -> Thread:
    return Thread(site="x.example", number=1, title=title)


def test_undoing_a_merge_needs_a_merge() -> None:
    with pytest.raises(Rejected, match="point_not_tested"):
        check_points(thread("Undo a merge"), "repository_point", repository_facts("aaaa"))
    check_points(thread("Undo a merge"), "repository_point", repository_facts("aaaa bbbb"))


def test_a_question_about_commits_needs_nothing_more() -> None:
    check_points(thread("Delete a commit"), "repository_point", repository_facts("aaaa"))


def case(before: dict[str, Entry], after: dict[str, Entry]) -> Case:
    return Case(scene=Scene(entries=before), expected=Effect(code=0, entries=after))


TEXT = Entry(text="b\na\n")


@pytest.mark.parametrize(
    ("title", "after"),
    [
        ("Sort a file in place", {"a.txt": TEXT, "sorted.txt": Entry(text="a\nb\n")}),
        ("Delete all files except some", {}),
        ("Replace tabs with spaces", {"a.txt": Entry(text="b\n")}),
        ("Sort a file recursively", {"a.txt": Entry(text="a\nb\n")}),
    ],
)
def test_what_a_question_is_about_has_to_be_seen_in_the_folder(title: str, after: dict[str, Entry]) -> None:
    with pytest.raises(Rejected, match="point_not_tested"):
        check_points(thread(title), "folder_point", list_facts([case({"a.txt": TEXT}, after)]))


def test_a_file_that_is_sorted_where_it_is_was_sorted_in_place() -> None:
    facts = list_facts([case({"a.txt": TEXT}, {"a.txt": Entry(text="a\nb\n")})])
    check_points(thread("Sort a file in place"), "folder_point", facts)


def test_a_file_that_is_gone_answers_no_question_about_names() -> None:
    facts = list_facts([case({"a.txt": TEXT}, {})])
    with pytest.raises(Rejected, match="nobody asked for: removed a"):
        check_deeds(thread("Refer to multiple files without the whole path"), facts)
    check_deeds(thread("Delete multiple files"), facts)


def test_a_renamed_file_is_moved_and_not_removed() -> None:
    assert "moved a.txt" in list_facts([case({"a.txt": TEXT}, {"b.txt": TEXT})])


def test_a_field_that_no_line_has_shows_nothing() -> None:
    files = {"a.txt": Entry(text="ana ben 4\n")}
    assert missing_field("awk '{$6 = $4 - $5; print}' a.txt", [case(files, files)]) == 5
    assert missing_field("awk '{$4 = $3 + 1; print}' a.txt", [case(files, files)]) == 0
    assert missing_field("awk -F, '{print $5}' a.txt", [case(files, files)]) == 0
    assert missing_field("sort -nk4 a.txt", [case(files, files)]) == 4
    assert missing_field("sort -t, -k4 a.txt", [case(files, files)]) == 0


async def test_an_edited_file_that_is_as_it_was_shows_nothing() -> None:
    draft = make_draft("tr A-Z a-z < a.txt > b.txt", "a.txt", out="")
    copied = case({"a.txt": TEXT}, {"a.txt": TEXT, "b.txt": TEXT})
    with pytest.raises(Rejected, match="point_not_tested"):
        await check_relevance(draft.model_copy(update={"cases": (copied,)}), Nowhere())


async def test_two_ways_to_do_the_same_one_after_the_other_are_no_task() -> None:
    draft = make_draft("sort a.txt\nsort < a.txt", "a.txt", out="ana\nben\nana\nben\n")
    with pytest.raises(Rejected, match="two ways to do the same"):
        await check_relevance(draft, Nowhere())


async def test_many_files_that_are_put_into_one_show_nothing() -> None:
    draft = make_draft("find . -name '*.txt' -exec cp {} all \\;", "a.txt", "b.txt", "all", out="done\n")
    with pytest.raises(Rejected, match="many files are put into one"):
        await check_relevance(draft, Nowhere())


async def test_a_site_of_one_page_leads_nowhere() -> None:
    draft = make_draft("wget -r http://localhost:8000/", out="x\n")
    service = WebService(port=8000, pages={"/index.html": "x"})
    case = draft.cases[0].model_copy(update={"scene": Scene(service=service)})
    with pytest.raises(Rejected, match="no page leads to another"):
        await check_relevance(draft.model_copy(update={"cases": (case,)}), Nowhere())
