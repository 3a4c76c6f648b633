"""What a pipeline and its verifiers share, one drawer per domain. The rest of `crucible/` imports none of it."""
