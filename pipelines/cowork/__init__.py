"""Professional work in real workspaces: workbooks, finance and slides."""
