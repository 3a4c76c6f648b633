echo 'not a note' >"$SCRATCH/README"
echo 'A note' >"$SCRATCH/2024-01-01-note.txt"
test "$(sh tidings.sh "$SCRATCH")" = '2024-01-01  A note'
