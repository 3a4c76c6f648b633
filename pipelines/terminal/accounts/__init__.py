"""What commands do, told step by step with nothing left out."""
