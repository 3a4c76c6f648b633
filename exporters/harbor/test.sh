#!/bin/sh
# Undoes what was done to files that decide how tests run, lays the task's own tests over the tree, and runs them as
# whoever works in it. The reward is 1 when the report of it is whole and all tests that count pass, otherwise 0.
# Where the task has twins, tests altered so that right code fails them, these must fail too: they are run over the same
# tree, before the tests or after them, and the code under test is not told which is which.
here=$$(cd "$$(dirname "$$0")" && pwd)
logs=$${LOGS:-/logs/verifier}
mkdir -p "$$logs"
echo 0 >"$$logs/reward.txt"
cd $workdir || exit 1
user=$user
for python in /usr/bin/python3 python3; do
    "$$python" -c '$supported' 2>/dev/null && break
done
shell=$$(command -v bash || echo sh)
as_user=
if [ "$$(id -u)" = 0 ] && id "$$user" >/dev/null 2>&1 && command -v runuser >/dev/null; then
    home=$$(getent passwd "$$user" | cut -d: -f6)
    as_user="runuser -u $$user -- env HOME=$$home"
    chmod go-rwx "$$here" 2>/dev/null # who could read the tests there could tell altered ones from them
fi
run() {
    $$as_user timeout -k 1 $seconds "$$shell" -c "$$1" </dev/null
}

# try FILES WANTED RESULTS: lays the tests of two folders, the second over the first, runs them and keeps what came of it.
try() {
    $clear
    [ ! -d "$$here/files" ] || cp -R "$$here/files/." .
    [ ! -d "$$1" ] || cp -R "$$1/." .
    "$$python" -IB "$$here/grade" lay "$$2" || return 1
    # The report goes where the code under test cannot know of it.
    token=$$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
    spot=/tmp/$$token
    mkdir -p "$$spot/report.d" "$$3"
    if [ "$$as_user" ]; then
        chown -R "$$user" "$$spot"
        find . ! -user "$$user" -exec chown -h "$$user" {} +
    fi
    [ ! -f "$$here/build.sh" ] || run "$$(cat "$$here/build.sh")" || return 1
    run "$$(sed "s/$token/$$token/g" "$$here/run.sh")" >"$$3/out" 2>"$$3/err"
    echo $$? >"$$3/code"
    rm -f "$$3/report"
    [ ! -f "$$spot/report" ] || cp "$$spot/report" "$$3/report"
    rm -rf "$$spot"
    "$$python" -IB "$$here/grade" reward "$$2" "$$3"
}

# reset: the tree as it was kept, and nothing else that a run has left.
reset() {
    [ -z "$$as_user" ] || $$as_user sh -c 'kill -9 -1' 2>/dev/null
    find . -mindepth 1 -maxdepth 1 -exec rm -rf {} +
    cp -a "$$kept/tree/." .
    for place in /tmp /var/tmp /dev/shm "$${home:-/nonexistent}"; do
        [ -z "$$as_user" ] || find "$$place" -xdev -mindepth 1 -user "$$user" -newer "$$kept/began" -delete 2>/dev/null
    done
}

"$$python" -IB "$$here/grade" restore "$$here/wanted.json" || exit 1
kept=$$(mktemp -d)
trap 'rm -rf "$$kept"' EXIT
order=tests
if [ $twins = yes ]; then
    "$$python" -IB "$$here/grade" alter "$$here/wanted.json" "$$kept" || exit 1
    cp -a . "$$kept/tree"
    touch "$$kept/began"
    order="tests twins"
    [ $$(($$(od -An -N1 -tu1 /dev/urandom) % 2)) = 0 ] || order="twins tests"
fi
reward=1
for which in $$order; do
    [ "$$which" = "$${order%% *}" ] || reset
    case $$which in
    tests) try /nonexistent "$$here/wanted.json" "$$kept/tests" ;;
    twins) try "$$kept/files" "$$kept/wanted.json" "$$kept/twins" ;;
    esac
    [ "$$(cat "$$kept/$$which/reward.txt" 2>/dev/null)" = 1 ] || reward=0
    rm -f "$$kept/$$which/reward.txt"
    cp -R "$$kept/$$which/." "$$logs"
    [ $$reward = 1 ] || break
done
tail -c 100000 "$$logs/out"
tail -c 100000 "$$logs/err" >&2
echo $$reward >"$$logs/reward.txt"
