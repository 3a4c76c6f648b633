"""Professional work in real workspaces: workbooks today."""
