"""The office suite: LibreOffice, kept warm in a box."""
