"""What kind of change a pull request is."""
