"""Pull requests to verifiable repository tasks."""
