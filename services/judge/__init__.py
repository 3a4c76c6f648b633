"""The judge: a model with settings of its own, asked where rules cannot decide."""
