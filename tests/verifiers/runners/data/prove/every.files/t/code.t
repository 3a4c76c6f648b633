1..1
ok 1 - fine
