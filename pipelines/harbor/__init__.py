"""Harbor task folders, taken in: read within limits, their Dockerfile as a recipe, their tests as a check."""
