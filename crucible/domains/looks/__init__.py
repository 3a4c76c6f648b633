"""How things look, whatever was drawn: boxes, colours, pixels, and what is wrong about them. For pages and slides."""
