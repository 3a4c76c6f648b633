#!/bin/sh
# Lays the task's own tests over the tree and runs them. The reward is 1 when all that count pass, otherwise 0.
here=$$(cd "$$(dirname "$$0")" && pwd)
logs=$${LOGS:-/logs/verifier}
mkdir -p "$$logs"
echo 0 >"$$logs/reward.txt"
cd $workdir || exit 1
rm -rf -- $stale
cp -R "$$here/files/." .
{ $build; } || exit 1
env -u PYTEST_ADDOPTS -u PYTEST_PLUGINS $command -p no:cacheprovider -o junit_family=xunit1 -o junit_logging=no \
    --continue-on-collection-errors --maxfail=0 -q --color=no --junitxml="$$logs/report.xml" $paths
python3 "$$here/grade.py" "$$here/wanted.json" "$$logs/report.xml" >"$$logs/reward.txt"
