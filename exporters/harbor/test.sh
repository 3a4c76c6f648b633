#!/bin/sh
# Undoes what was done to files that decide how tests run, lays the task's own tests over the tree, and runs them as
# whoever works in it. The reward is 1 when the report of it is whole and all tests that count pass, otherwise 0.
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
    as_user="runuser -u $$user -- env HOME=$$(getent passwd "$$user" | cut -d: -f6)"
fi
run() {
    $$as_user timeout -k 1 $seconds "$$shell" -c "$$1" </dev/null
}

"$$python" -IB "$$here/grade" restore "$$here/wanted.json" || exit 1
$clear
[ ! -d "$$here/files" ] || cp -R "$$here/files/." .
"$$python" -IB "$$here/grade" lay "$$here/wanted.json" || exit 1

# The report goes where the code under test cannot know of it.
token=$$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
spot=/tmp/$$token
mkdir -p "$$spot/report.d"
if [ "$$as_user" ]; then
    chown -R "$$user" "$$spot"
    find . ! -user "$$user" -exec chown -h "$$user" {} +
fi
[ ! -f "$$here/build.sh" ] || run "$$(cat "$$here/build.sh")" || exit 1
run "$$(sed "s/$token/$$token/g" "$$here/run.sh")" >"$$logs/out" 2>"$$logs/err"
echo $$? >"$$logs/code"
tail -c 100000 "$$logs/out"
tail -c 100000 "$$logs/err" >&2
rm -f "$$logs/report"
[ ! -f "$$spot/report" ] || cp "$$spot/report" "$$logs/report"
rm -rf "$$spot"
"$$python" -IB "$$here/grade" reward "$$here/wanted.json" "$$logs"
