# An interpreter for the grader, where the image has none that is new enough.
for python in /usr/bin/python3 python3; do
    ! "$python" -c 'SUPPORTED' 2>/dev/null || exit 0
done
apt-get update && apt-get install -y --no-install-recommends python3
/usr/bin/python3 -c 'SUPPORTED'
