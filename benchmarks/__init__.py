"""What is measured, against what: one command each, ratios within one run."""
