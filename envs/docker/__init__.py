"""The Docker world: boxes are containers, held open by one shell each."""
