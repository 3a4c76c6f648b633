"""What every world must do, as claims that anyone can run against theirs.

Each claim is a coroutine that takes a world and an env to open, and asserts. A third party's test file:

    from envs.conformance import CLAIMS

    @pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
    async def test_conformance(claim, my_world):
        await claim(my_world, Env(name="mine"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from crucible.sandbox import Env, Sandbox, World

Claim = Callable[[World, Env], Awaitable[None]]
CLAIMS: list[Claim] = []


def claim(check: Claim) -> Claim:
    """Add a claim to the suite."""
    CLAIMS.append(check)
    return check


def with_limits(env: Env, **limits: float) -> Env:
    """The env with some of its limits replaced."""
    return env.model_copy(update={"limits": env.limits.model_copy(update=limits)})


@claim
async def a_box_is_a_sandbox(world: World, env: Env) -> None:
    async with world.open(env) as box:
        assert isinstance(box, Sandbox)


@claim
async def a_command_returns_its_code_and_both_streams(world: World, env: Env) -> None:
    async with world.open(env) as box:
        done = await box.exec("echo out; echo err >&2; exit 7")
    assert (done.code, done.out, done.err, done.stopped) == (7, "out\n", "err\n", "")


@claim
async def output_without_a_final_newline_is_exact(world: World, env: Env) -> None:
    async with world.open(env) as box:
        assert (await box.exec("printf 'a\\n\\nb'")).out == "a\n\nb"
        assert (await box.exec("true")).out == ""


@claim
async def a_command_starts_in_the_workdir_as_the_user_without_privilege(world: World, env: Env) -> None:
    async with world.open(env) as box:
        done = await box.exec("pwd; id -un; grep CapEff /proc/self/status; cat /proc/self/attr/current 2>/dev/null")
    assert done.out.startswith(f"{env.workdir}\n{env.recipe.user}\n")
    assert "CapEff:\t0000000000000000" in done.out


@claim
async def quotes_newlines_and_other_alphabets_arrive_unchanged(world: World, env: Env) -> None:
    text = 'it\'s "quoted" $HOME `x` \\ \n\tnew line — щит 火 🔥'
    async with world.open(env) as box:
        await box.write("said", text.encode())
        assert (await box.exec("cat said")).out == text
        assert (await box.exec(f"cat <<'END'\n{text}\nEND")).out == text + "\n"


@claim
async def a_command_longer_than_an_argument_may_be_still_runs(world: World, env: Env) -> None:
    async with world.open(env) as box:
        done = await box.exec("x='" + "y" * 300_000 + "'; echo ${#x}")
    assert done.out == "300000\n"


@claim
async def standard_input_is_given_and_otherwise_empty(world: World, env: Env) -> None:
    async with world.open(env) as box:
        assert (await box.exec("cat", stdin=b"given\0\n")).out == "given\0\n"
        assert (await box.exec("cat")).out == ""


@claim
async def files_survive_the_round_trip_byte_for_byte(world: World, env: Env) -> None:
    data = bytes(range(256)) * 5000
    async with world.open(env) as box:
        await box.write("deep/er/file.bin", data, mode=0o750)
        assert await box.read("deep/er/file.bin") == data
        done = await box.exec("stat -c '%a %U' deep/er/file.bin deep")
    assert done.out == f"750 {env.recipe.user}\n755 {env.recipe.user}\n"


@claim
async def what_cannot_be_read_says_why(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.exec("mkdir folder; mkfifo pipe; ln -s loop loop; head -c 5000 /dev/zero > large")
        for path, expected in (("none", FileNotFoundError), ("folder", IsADirectoryError), ("pipe", ValueError)):
            assert await _exception_type(box.read(path)) is expected, path
        assert await _exception_type(box.read("loop")) in (ValueError, FileNotFoundError)
        assert await _exception_type(box.read("large", limit=4000)) is ValueError


@claim
async def a_command_past_its_limit_is_stopped_and_the_box_goes_on(world: World, env: Env) -> None:
    async with world.open(env) as box:
        done = await box.exec("echo before; trap '' TERM; sleep 9999", timeout=1)
        assert done.stopped == "timeout"
        assert (await box.exec("echo after")).out == "after\n"


@claim
async def long_output_keeps_its_head_and_its_tail(world: World, env: Env) -> None:
    async with world.open(with_limits(env, output_kb=4)) as box:
        done = await box.exec("seq 1 20000")
    assert done.truncated
    assert done.out.startswith("1\n2\n")
    assert done.out.endswith("19999\n20000\n")
    assert "left out" in done.out
    assert len(done.out) < 6000


@claim
async def background_processes_live_on_without_mixing_their_output_in(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.exec("(while :; do echo noise; sleep 0.05; done) & echo $! > pid")
        await asyncio.sleep(0.3)
        done = await box.exec("kill -0 $(cat pid) && echo alive; kill $(cat pid)")
    assert "alive" in done.out


@claim
async def a_fork_has_the_files_and_goes_its_own_way(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.exec("echo one > file; sleep 1000 &")
        async with box.fork() as second:
            assert (await second.exec("cat file; echo two > file; ls /proc | grep -c '^[0-9]'")).out.startswith("one\n")
            assert (await second.exec("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).out.count("sleep 1000") == 0
        assert (await box.exec("cat file")).out == "one\n"
        await box.write("later", b"new")
        async with box.fork() as third, box.fork() as fourth:
            assert [(await each.exec("cat file later")).out for each in (third, fourth)] == ["one\nnew"] * 2


@claim
async def boxes_do_not_see_each_other(world: World, env: Env) -> None:
    async with world.open(env) as first, world.open(env) as second:
        await first.exec("touch here")
        assert not (await second.exec("ls here")).ok


@claim
async def there_is_no_network_unless_asked_for(world: World, env: Env) -> None:
    async with world.open(env) as box:
        done = await box.exec("cat /proc/net/route /proc/net/dev")
    assert "eth" not in done.out


@claim
async def a_path_is_told_as_it_is_and_links_are_not_followed(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.exec("echo four > file; chmod 640 file; ln -s file link; mkdir folder; mkfifo pipe")
        told = [await box.stat(path) for path in ("file", "link", "folder", "pipe")]
        assert [stat.kind for stat in told] == ["file", "link", "folder", "other"]
        assert (told[0].mode, told[0].size, told[1].target) == (0o640, 5, "file")
        assert await _exception_type(box.stat("none")) is FileNotFoundError


@claim
async def a_folder_that_was_deleted_is_laid_elsewhere_as_it_was(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.lay_original("/etc/apt", "/tmp/kept")
        assert (await box.exec("cd /etc/apt && find . -type f | sort | xargs cat | cksum")).out == (
            await box.exec("cd /tmp/kept && find . -type f | sort | xargs cat | cksum")
        ).out
        assert await _exception_type(box.lay_original("/none", "/tmp/other")) is FileNotFoundError


@claim
async def changed_paths_are_told_by_their_names_as_they_are(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.exec("mkdir -p a/b 'c d'; echo x > a/b/file; ln -s /etc a/link; echo > 'c d/x b/y'; mkdir 'c d/x b'")
        await box.exec("echo > 'c d/x b/\"q\"'")
        changed = {path for path in await box.changed_paths() if path.startswith(env.workdir)}
    names = ("a/b/file", "a/link", 'c d/x b/"q"')
    assert changed == {f"{env.workdir}/{name}" for name in names}


@claim
async def processes_end_when_asked_and_files_stay(world: World, env: Env) -> None:
    async with world.open(env) as box:
        await box.exec("echo kept > file; (while :; do date > beat; sleep 0.1; done) & sleep 0.3")
        await box.end_processes()
        done = await box.exec("cat file; rm beat; sleep 1; ls beat")
    assert (done.out, done.ok) == ("kept\n", False)


@claim
async def named_outputs_are_collected_and_laid_in_another_box(world: World, env: Env) -> None:
    asked = env.model_copy(update={"leaves": "files", "outputs": ("out/*.bin",)})
    async with world.open(asked) as box:
        assert (await box.collect()).left == "absent"
        await box.exec("mkdir out; printf 'a\\000\\377' > out/one.bin; echo x > out/other")
        remains = await box.collect()
        assert remains == await box.collect()
    async with world.open(asked, phase="grading", remains=remains.archive) as box:
        assert await box.read("out/one.bin") == b"a\0\xff"
        assert (await box.exec("ls out")).out == "one.bin\n"


@claim
async def more_than_may_be_left_is_told(world: World, env: Env) -> None:
    asked = with_limits(env, remains_mb=1).model_copy(update={"leaves": "files", "outputs": ("*.bin",)})
    async with world.open(asked) as box:
        await box.exec("head -c 2000000 /dev/zero > large.bin")
        remains = await box.collect()
    assert (remains.left, remains.archive) == ("too_large", None)


@claim
async def a_trusted_command_is_roots_and_finds_its_own_tools(world: World, env: Env) -> None:
    async with world.open(env, phase="grading") as box:
        done = await box.exec("id -u; pwd; cat", stdin=b"given", trusted=True)
    assert done.out == "0\n/\ngiven"


@claim
async def commands_at_once_in_one_box_each_get_their_own_answer(world: World, env: Env) -> None:
    async with world.open(env) as box:
        answers = await asyncio.gather(*(box.exec(f"echo {number}") for number in range(8)))
    assert [done.out for done in answers] == [f"{number}\n" for number in range(8)]


async def _exception_type(awaitable: Awaitable[object]) -> type[BaseException] | None:
    """The type of the OSError or ValueError that awaiting raises; None when it raises nothing."""
    try:
        await awaitable
    except (OSError, ValueError) as fault:
        return type(fault)
    return None


@claim
async def a_box_beside_another_shares_its_network_and_nothing_else(world: World, env: Env) -> None:
    look = "readlink /proc/self/ns/net; readlink /proc/self/ns/mnt; readlink /proc/self/ns/pid; ls mark"
    async with world.open(env) as box:
        await box.exec("touch mark")
        async with world.open_beside(box, env) as other:
            first, second = (await box.exec(look)).out.split(), (await other.exec(look)).out.split()
    assert first[0] == second[0]
    assert not set(first[1:]) & set(second[1:])
