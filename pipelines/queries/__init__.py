"""Meta-queries to queries: one mechanism for every pipeline whose raw material is what an expert would ask for."""
