"""What the terminal pipeline and its verifiers share: folders a script is run in, and what it does there."""
