ok 1 - before
