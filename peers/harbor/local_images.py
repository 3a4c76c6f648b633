"""Harbor's own command line where no registry answers: `python -m peers.harbor.local_images run ...`.

Harbor closes a box's network with a container beside it, whose image it takes from a registry. Here that image is made
of the Debian base, with Harbor's own scripts and packet filters. The proxy in it has a stand-in that listens to nobody:
good for no network at all, and for no list of hosts.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from harbor.cli.main import app
from harbor.environments.docker.docker import DockerEnvironment

BASE = "debian:trixie-slim"
SIDECAR = f"""FROM {BASE}
RUN apt-get update && apt-get install -y --no-install-recommends nftables mawk
RUN printf '#!/bin/sh\\nexec sleep infinity\\n' >/bin/gost && chmod 755 /bin/gost
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        context = Path(scratch) / "sidecar"
        shutil.copytree(DockerEnvironment._EGRESS_CONTROL_SIDECAR_CONTEXT_PATH, context)
        dockerfile = context / "Dockerfile"
        _, _, copies = dockerfile.read_text().partition("\n")  # the first line names the image of the registry
        dockerfile.write_text(SIDECAR + copies)
        DockerEnvironment._EGRESS_CONTROL_SIDECAR_CONTEXT_PATH = context
        DockerEnvironment._EGRESS_CONTROL_KERNEL_PROBE_IMAGE = BASE
        app()


if __name__ == "__main__":
    main()
