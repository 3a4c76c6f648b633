"""Workbooks rebuilt from documents: tables are read off a page, and asked for as a workbook."""
