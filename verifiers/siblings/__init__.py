"""The task's own tests with other inputs: who knows only what the tests ask answers like the base there.

Nothing of the right answers is in the box: a sibling notes what it is answered, and that is compared outside.

plan.py           how many, of which kinds, under which names
drafting.py       makes them, each file by its language
python_tests.py   makes them of tests in Python
syntax_tests.py   makes them in languages that have a grammar, by the files of `rules/`
inputs.py, syntax_inputs.py  alter what a test hands to the code, in either; values.py: single values
recorders/        are laid in with them, and note the answers
alone.py, programs/  runs them without a test framework
asking.py         runs them over a tree
settling.py       sees, when a task is proven, which tell right code from the base
judging.py        what an attempt's answers say of it
"""
