"""Meta-queries of office work: a drawn query, the file it is about, and the operations that answer it."""
