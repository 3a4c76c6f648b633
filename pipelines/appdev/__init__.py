"""Queries for applications to tasks that carry their rubric."""
