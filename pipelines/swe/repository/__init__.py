"""A git repository, read and never run: commits, trees, patches, and where repositories are kept."""
