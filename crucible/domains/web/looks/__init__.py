"""How a web application looks: facts gathered in the page, and one small rule for each thing that can be wrong."""
