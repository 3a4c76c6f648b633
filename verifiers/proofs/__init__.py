"""Plans by which tasks are proven sound: a module for each."""
