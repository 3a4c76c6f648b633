"""Test frameworks, one module for each language: how each is started, and what of it is run. How its report
is read is for `verifiers/readers/`."""
