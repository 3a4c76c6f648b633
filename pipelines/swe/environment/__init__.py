"""An image in which the base's tests run, shared between neighbours."""
