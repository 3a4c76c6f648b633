#!/bin/sh
# Every file tests/*.case.sh is one test: it passes when it ends with 0.
number=0
failed=0
for case in tests/*.case.sh; do
    number=$((number + 1))
    name=$(basename "$case" .case.sh)
    scratch=$(mktemp -d)
    if SCRATCH=$scratch sh -eu "$case" >/dev/null 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        failed=1
    fi
    rm -rf "$scratch"
done
echo "1..$number"
exit $failed
