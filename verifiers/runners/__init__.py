"""Test frameworks, one module for each language: how each is started, what of it is run, and its canary. How its report
is read is for `verifiers/readers/`."""
