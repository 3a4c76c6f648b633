"""What the finance track of office work and its verifier share: what an answer is, and how one is spoilt."""
