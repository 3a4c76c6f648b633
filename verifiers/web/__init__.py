"""Who judges applications: whether they run, what using them shows, how they look."""
