"""Pictures reach the teacher: those of the instruction, and those that a tool shows."""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from pathlib import Path

import pytest

from agents.loop import loop
from agents.teachers.local import LocalModel
from crucible import parts
from crucible.acting import Ask, Reply, Stops, TeacherSettings, with_pictures
from crucible.chat_messages import count_characters, to_messages
from crucible.errors import TeacherError
from crucible.model import Agent, Observation, Step, Task, ToolCall
from crucible.pictures import LARGEST_BYTES
from crucible.serving import GivenServices
from tests.agents.directory import DirectoryBox
from tests.agents.endpoint import Endpoint, calling, saying
from tests.agents.playing import PreparedTeacher, call, settings


def make_png(width: int = 2, height: int = 2) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * width) * height
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG, OTHER = make_png(), make_png(3)
DIGEST, OTHER_DIGEST = (hashlib.sha256(data).hexdigest() for data in (PNG, OTHER))
URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
SEEING = Agent(scaffold="native", teacher="said", tools=("view",))


class Blobs(dict[str, bytes]):
    """A store in memory."""

    def get(self, digest: str) -> bytes:  # type: ignore[override]
        return self[digest]


async def test_an_endpoint_is_sent_the_pictures_of_the_task_and_of_a_tool(
    task: Task, box: DirectoryBox, repository: Path
) -> None:
    (repository / "plot.dat").write_bytes(OTHER)
    shown = task.model_copy(update={"images": (DIGEST,)})
    async with Endpoint((calling("view", '{"path": "plot.dat"}'), saying("I see"))) as endpoint:
        run = settings(base_url=endpoint.url, model="m")
        async with parts.find("teacher", "openai").make(run) as teacher:
            blobs = GivenServices({"blobs": Blobs({DIGEST: PNG})})
            trajectory, kept = await loop(shown, box, SEEING, teacher, stops=Stops(steps=2), services=blobs)
    first, second = (request.body["messages"] for request in endpoint.requests)
    assert first[1]["content"][1] == {"type": "image_url", "image_url": {"url": URL}}
    assert [message["role"] for message in second] == ["system", "user", "assistant", "tool", "user"]
    assert base64.b64decode(second[4]["content"][1]["image_url"]["url"].partition(",")[2]) == OTHER
    assert trajectory.images == (DIGEST,)
    assert trajectory.steps[0].observations[0].images == (OTHER_DIGEST,)
    assert "a PNG picture of 3 x 2 pixels" in trajectory.steps[0].observations[0].content
    assert (kept[DIGEST], kept[OTHER_DIGEST]) == (PNG, OTHER)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is no PNG, JPEG, WebP or GIF picture"),
        (PNG[:20], "is no PNG, JPEG, WebP or GIF picture"),
        (PNG + b"\0" * LARGEST_BYTES, "is larger than"),
    ],
)
async def test_what_is_no_picture_is_not_shown(
    task: Task, box: DirectoryBox, repository: Path, data: bytes, told: str
) -> None:
    (repository / "plot.png").write_bytes(data)
    teacher = PreparedTeacher(Reply(calls=(call("view", path="plot.png"),)))
    trajectory, _ = await loop(task, box, SEEING, teacher, stops=Stops(steps=1))
    [seen] = trajectory.steps[0].observations
    assert told in seen.content
    assert seen.images == ()


def question() -> Ask:
    seen = (Observation(call_id="a", content="one", images=(DIGEST,)), Observation(call_id="b", content="two"))
    step = Step(calls=(ToolCall(id="a", name="view"), ToolCall(id="b", name="shell")), observations=seen)
    return with_pictures(Ask(system="s", prompt="p", images=(DIGEST,), steps=(step,)), {DIGEST: PNG}.__getitem__)


def test_pictures_of_calls_come_after_all_answers_to_them() -> None:
    messages = to_messages(question())
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert isinstance(messages[3]["content"], str)
    text = to_messages(question().model_copy(update={"form": "text"}))
    assert [part["type"] for part in text[-1]["content"]] == ["text", "image_url"]


def test_a_question_without_pictures_is_plain_text() -> None:
    assert to_messages(Ask(system="s", prompt="p")) == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "p"},
    ]


def test_the_bytes_of_a_picture_are_not_taken_for_text_that_costs() -> None:
    large = PNG + b"\0" * 1_000_000
    asked = with_pictures(Ask(system="s", prompt="p", images=(DIGEST,)), lambda _: large)
    assert count_characters(to_messages(asked)) < 10_000
    assert "pictures" not in asked.model_dump()


async def test_the_local_model_says_that_it_cannot_see(task: Task) -> None:
    with pytest.raises(TeacherError, match="cannot see pictures"):
        await LocalModel(None, TeacherSettings()).reply(task, question())
