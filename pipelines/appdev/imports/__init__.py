"""Applications that lie in folders, each with a rubric of its own: tasks, and attempts at them."""
