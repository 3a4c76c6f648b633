"""What the pipeline of office work and its verifiers share: the box, workbooks and decks."""
