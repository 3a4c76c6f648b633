"""Which pull requests are worth an environment."""
