"""Raw material to tasks: one folder per pipeline."""
