"""Tasks that a model writes: asked for as records, tried in boxes, and given back with what is wrong about them."""
