"""Tasks of the SWE kind that others wrote: rows of SWE-bench and of what is shaped like it."""
