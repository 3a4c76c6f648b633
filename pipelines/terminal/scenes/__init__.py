"""The folders that commands are run in: as the question shows them, what it lacks invented, and others like them."""
