"""Questions about web addresses become tasks with a service of this machine."""

from __future__ import annotations

import json

from crucible.domains.terminal.scenes import Entry, Scene
from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.terminal.drafting.executing import draft_tasks
from pipelines.terminal.model import Answer, Thread
from pipelines.terminal.scenes.services import add_asked, add_service
from pipelines.terminal.selection.selecting import select_thread
from pipelines.terminal.writing import write_tasks


async def test_an_address_of_an_example_host_is_served_with_pages_that_differ(world: World, blobs: Blobs) -> None:
    context = MiningContext(world, blobs)
    answer = "<pre><code>curl -s https://example.com/data/people.json | jq -r '.[].name' &gt; names.txt</code></pre>"
    thread = Thread(
        site="x",
        number=1,
        title="Names from a JSON address",
        body="<p>I need the names that https://example.com/data/people.json has, in names.txt.</p>",
        tags=("curl",),
        score=5,
        accepted=2,
        answers=(Answer(number=2, body=answer),),
    )
    [selected] = await select_thread(thread, context)
    [made] = await draft_tasks(selected, context)
    assert len({case.expected.entries["names.txt"].text for case in made.cases}) == 3
    [task, *_] = await write_tasks(made, context)
    assert "http://localhost:8000/data/people.json" in task.instruction
    assert "a web service answers at `http://localhost:8000`" in task.instruction
    assert "examples/1/pages/data/people.json" in task.env.files


def test_who_starts_a_server_gets_none() -> None:
    assert add_service(Scene(), "python3 -m http.server 8000 &\ncurl http://localhost:8000/", 0).service is None
    assert add_service(Scene(), "cat a.txt", 0).service is None


def test_addresses_of_a_list_are_served() -> None:
    listed = Scene(entries={"urls.txt": Entry(text="http://localhost:81/a.txt\nhttp://localhost:81/sub/\n")})
    service = add_service(listed, "xargs -n 1 curl -sO < urls.txt", 1).service
    assert service is not None
    assert (service.port, list(service.pages)) == (81, ["/a.txt", "/sub/index.html"])


def test_an_invented_json_page_can_be_read() -> None:
    service = add_service(Scene(), "curl http://localhost/people.json", 3).service
    assert service is not None
    assert [len(json.loads(page)) for page in service.pages.values()] == [5]


def test_a_server_that_is_started_is_asked_for_the_files_that_it_serves() -> None:
    scene = add_asked(Scene(), "nohup python3 -m http.server 8080 --directory site > server.log 2>&1 &")
    assert scene.asked[0] == "http://localhost:8080/a.txt"
    assert "site/a.txt" in scene.entries
    assert add_asked(Scene(), "python3 -m http.server 8080").asked == ()
    assert add_asked(Scene(), "python3 -m http.server 8080 &\ncurl -s localhost:8080\nkill %1").asked == ()
