"""Copies of a test beside it, each altered in another place: a test ends where it fails, so only copies try all of its
assertions in one run. A copy that passes tells which assertion the attempt pleases.

Code that looks around for what is expected would find it in the other copies, so all of them, and the test itself, are
altered in every place: where a copy is not to fail, it asserts that the altered value is *not* so, as it is not with
right code. Whether a framework runs copies at all is seen when the task is proven.

spreading.py  lays them in, and tells what a report says of them
text.py       what it needs to know of a test's text
python.py     the same in Python
syntax.py     the same in languages that have a grammar
rows.py       rows of a table that copies leave out
names.py      what copies are called
"""
