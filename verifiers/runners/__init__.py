"""Test frameworks: how each is started, and how its report is read."""
