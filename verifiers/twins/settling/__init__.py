"""When a task is proven: which alterations of its tests the reference fails.

settle.py         what is tried, and what is kept of it
trying.py         runs of sets of alterations over the reference
hits.py           which of them made tests fail
other_places.py   further places of the same tests, which nobody has tried
tree_files.py     the test files of a task that names none
"""
