"""An answer's commands executed in a box, and what is demanded of a solution after what was observed."""
