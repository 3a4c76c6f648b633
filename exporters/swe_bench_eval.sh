#!/bin/bash
set -uxo pipefail
# The grader of the task, and the tests: whoever works in the tree can read neither.
place=$$(mktemp -d)
base64 -d <<'GRADER' | tar -xz -C "$$place"
$grader
GRADER
LOGS="$$place/logs" sh "$$place/tests/test.sh" >"$$place/printed" 2>&1
: '>>>>> Start Test Output'
cat "$$place/logs/tests.tap"
[ "$$(cat "$$place/logs/reward.txt")" = 1 ]
: '>>>>> End Test Output'
# What the tests printed comes last: no mark in it is taken for one of those above.
tail -c 100000 "$$place/printed"
rm -rf "$$place"
