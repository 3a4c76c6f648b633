"""Images from recipes: a recipe is data, its tag is the hash of that data."""
