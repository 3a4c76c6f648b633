"""Days, moons and frosts for a garden's calendar."""
