echo 'The old bridge' >"$SCRATCH/2023-11-02-bridge.txt"
echo 'The new bridge' >"$SCRATCH/2024-02-09-bridge.txt"
test "$(sh tidings.sh "$SCRATCH")" = '2024-02-09  The new bridge
2023-11-02  The old bridge'
