"""Walks of operations over workbooks."""
