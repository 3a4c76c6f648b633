"""Which threads are worth a task: commands that can be run in a box, and that answer the question."""
