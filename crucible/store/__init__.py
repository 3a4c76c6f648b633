"""Where everything lies: the ledger, its tables and look-ups, and the blobs."""
