"""Decks as data, what they must hold, how they look, and how good ones are spoilt."""
