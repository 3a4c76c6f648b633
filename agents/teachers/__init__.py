"""Who answers: the built-in players, any OpenAI-compatible endpoint, and a small model in this process."""
