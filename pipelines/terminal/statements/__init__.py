"""What a solver is told, whether that determines all that is asserted, and how good it is."""
