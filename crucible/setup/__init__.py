"""What the machine must offer: `doctor` looks, `setup` gets what is missing."""
