"""What stands in an altered place.

literals.py       another value of the same type and look
known_values.py   a value that another test expects
base_values.py    the value that the base gives
other_values.py   further values in the same places
same_values.py    other assertions that expect the same text, taken out
"""
