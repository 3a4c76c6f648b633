ok 1 - adds
not ok 2 - fails
# Subtest: group
    ok 1 - inner
    ok 2
    1..2
ok 3 - group
ok 4 # skip later
not ok 5 - unfinished # TODO soon
#   Failed (TODO) test 'unfinished'
#   at t/a.t line 6.
1..5
