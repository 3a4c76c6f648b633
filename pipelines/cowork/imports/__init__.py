"""Spreadsheet tasks of others, read into our form."""
