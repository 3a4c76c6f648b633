"""What judges, mining stages, tools and policies use beside a box: each service is a part (`@service`)."""
