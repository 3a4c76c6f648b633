"""Canaries: tests that must fail. A report in which one passes was not written by the test framework.

python_copy.py    a copy of one of the task's own tests, for pytest
templates.py      a failing test written into a file from a template, for other frameworks
rust_inline.py    a failing test beside the tests within a Rust source file
"""
