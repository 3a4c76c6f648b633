"""What the pipeline of office work and its verifiers share: workbooks as data, and how they are compared."""
