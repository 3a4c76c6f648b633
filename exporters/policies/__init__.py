"""Policies by which some of the accepted attempts at a task are kept: a module for each."""
