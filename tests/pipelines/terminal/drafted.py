"""Drafts without a box: commands, and what they are said to print in a folder that they leave as it is."""

from __future__ import annotations

from crucible.domains.terminal.comparing import Case, Demand
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from pipelines.terminal.model import Annotation, Draft, Selected, Suggestion, Thread


def make_draft(script: str, *paths: str, out: str = "x\n", body: str = "", shows_result: bool = False) -> Draft:
    entries = {path: Entry(text="x\n") for path in paths}
    case = Case(scene=Scene(entries=entries), expected=Effect(code=0, out=out, entries=entries))
    suggestion = Suggestion(answer=2, text=script)
    annotation = Annotation(
        quality=1, task_type="", verifiability="", category="", complexity=1, packages=(), alternatives=0
    )
    thread = Thread(site="x.example", number=1, title="Names in a list", body=body)
    return Draft(
        selected=Selected(thread=thread, suggestions=(suggestion,), annotation=annotation),
        suggestion=suggestion,
        cases=(case,),
        demands=(Demand(about="output", sentence="It prints what is asked for."),),
        repair_rounds=0,
        partials=1,
        alternatives=(),
        shows_input=False,
        shows_result=shows_result,
    )
