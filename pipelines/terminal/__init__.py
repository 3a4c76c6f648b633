"""Stack Exchange threads to terminal tasks that are proven by execution."""
