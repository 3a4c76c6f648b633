"""Walks of operations over decks."""
