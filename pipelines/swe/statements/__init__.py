"""The statement stage: what a solver is told, made free of the answer and complete."""
