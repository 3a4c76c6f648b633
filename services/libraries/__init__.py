"""Packages of the registry whose files pages take from public content networks."""
