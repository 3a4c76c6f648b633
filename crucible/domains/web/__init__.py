"""What the pipeline of web applications and its verifiers share: rubrics, deployments, how an application is used."""
