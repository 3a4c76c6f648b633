"""Where the assertions of a test file can be altered, and to what.

place.py               a place, and what may stand there instead
python_tests.py        in Python, by its own syntax tree
python_functions.py    its test functions
python_expressions.py  what their expressions are made of
python_text.py         where the nodes of that tree stand
python_values.py       values of Python's own types, as tests write them
syntax_tests.py        in other languages that have a grammar, by the queries in `rules/`
syntax_file.py         a test file as its grammar reads it
syntax_rules.py        what `rules/` say
line_tests.py          in languages without one, line by line
"""
