#!/bin/sh
# Runs the script of an attempt in folders that it has not seen, as whoever works in the box. The reward is 1 when it
# prints and leaves there what the reference does, otherwise 0.
here=$$(cd "$$(dirname "$$0")" && pwd)
logs=$${LOGS:-/logs/verifier}
mkdir -p "$$logs"
echo 0 >"$$logs/reward.txt"
if [ "$$(id -u)" = 0 ]; then
    chmod -R go-rwx "$$here" "$$logs" || exit 1 # the script must read neither what is expected nor write the reward
fi
for python in /usr/bin/python3 python3; do
    "$$python" -c '$supported' 2>/dev/null && break
done
"$$python" -IB "$$here/grade" "$$here/wanted.json" $workdir $user "$$logs"
