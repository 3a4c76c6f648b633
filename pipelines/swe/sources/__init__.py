"""Where pull requests come from: a clone's own history, or GitHub's API."""
