"""Workbooks as data, how they are compared, and how good ones are spoilt."""
