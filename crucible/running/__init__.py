"""What every run has: the settings as they were layered, stores, log lines, temporary folders."""
