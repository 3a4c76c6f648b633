"""Who judges: one module per way of judging."""
