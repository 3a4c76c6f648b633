"""A small application and its rubric, and copies of it with one fault each."""

from __future__ import annotations

from pathlib import Path

from crucible.domains.web.rubric import Element, ExpectedElement, Rubric, Step, Workflow

GOOD = (Path(__file__).parent / "pages" / "todo.html").read_text()


def change(old: str, new: str) -> str:
    """The good page with one thing changed."""
    assert old in GOOD, old
    return GOOD.replace(old, new)


FAULTS = {
    "dead button": change('document.getElementById("new").onsubmit', "document.body.onclose").replace(
        "<button>Add", "<button type='button'>Add"
    ),
    "state lost": change('localStorage.setItem("todos", JSON.stringify(todos)); ', ""),
    "hard-coded": change("textContent = todo.title", "textContent = 'Buy milk'"),
    "fake success": change("todos.push({ title, done: false });", "error.textContent = 'Added ' + todos.length + '!';"),
    "accepts anything": change("if (!title)", "if (false)"),
    "delete missing": change(".remove{visibility:hidden}", ".remove{display:none !important}"),
    "delete is fake": change("todos.splice(i, 1);", "item.hidden = true; if (false)"),
    "invisible text": change("<style>", "<style>#list span{opacity:0} "),
    "button hidden": change("<button>Add", "<button hidden>Add"),
}
FIELD = Element(role="textbox", names=("todo", "title"))
ADD = Element(role="button", names=("add", "create"))
PUT = (Step(do="fill", at=FIELD, value="{title}"), Step(do="click", at=ADD))
SHOWN, GONE = Step(expect="text", text="{title}"), Step(expect="no text", text="{title}")
RUBRIC = Rubric(
    elements=(
        ExpectedElement(name="there is a field for a new todo", at=FIELD),
        ExpectedElement(name="there is a button to add", at=ADD),
    ),
    workflows=(
        Workflow(
            name="a todo that was added is there after a reload",
            values={"title": "words"},
            steps=(*PUT, SHOWN, Step(do="reload"), SHOWN),
        ),
        Workflow(
            name="a todo can be ticked off and deleted for good",
            values={"title": "words"},
            steps=(
                *PUT,
                Step(expect="text", text="1 left"),
                Step(do="check", at=Element(role="checkbox", within="{title}")),
                Step(expect="text", text="0 left"),
                Step(do="click", at=Element(role="button", names=("delete", "remove"), within="{title}")),
                GONE,
                Step(do="reload"),
                GONE,
            ),
        ),
        Workflow(
            name="an empty todo is refused",
            steps=(
                Step(do="click", at=ADD),
                Step(expect="text", text="needed"),
                Step(expect="no element", at=Element(role="checkbox")),
            ),
        ),
    ),
)
CAUGHT_BY = {
    "dead button": 0,
    "state lost": 0,
    "hard-coded": 0,
    "fake success": 0,
    "accepts anything": 2,
    "delete missing": 1,
    "delete is fake": 1,
    "invisible text": 0,
}
"""The workflow that is about each fault."""
