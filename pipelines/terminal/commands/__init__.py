"""Shell commands taken apart by their grammar: what they call, look for, say and leave out."""
