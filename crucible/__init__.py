"""The nouns and the spine: records, parts, the sandbox protocol, the ledger, blobs, settings, the command line."""
