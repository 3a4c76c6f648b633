"""Readers of test reports, one module for each kind of report. A report is read without trust: the code under test may
have written it.

Nothing is imported here but Python's standard library (3.10 and newer), `crucible.domains.code.outcomes` and modules of
this folder, because exported Harbor folders ship these files as they are. Each module that reads the report of a
framework has `READERS`, by the framework's name.
"""
