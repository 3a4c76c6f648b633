"""Stack Exchange threads out of dumps, and what their text shows: prose, commands, files and results."""
