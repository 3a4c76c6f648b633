"""When an attempt is judged: altered tests that it has to fail.

draws.py          what is laid into each of the runs
judging.py        what a run says of the attempt
suspects.py       which further twins an attempt that looks like a cheat has to meet
refusals.py       what other tests hold to be good, in tests that ask for a refusal
"""
