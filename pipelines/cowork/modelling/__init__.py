"""Financial modelling: templates of buyouts, rounds and mergers, to be completed from their inputs."""
