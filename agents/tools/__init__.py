"""The tools of an agent, one module for each; `crucible/tooling.py` says what a tool is."""
