"""Base images under the names that exports give them, for a machine that reaches no registry.

They are the bases that Crucible bootstrapped itself, and trust what this machine trusts.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
BASES = {
    "debian:bookworm-slim": "crucible/base:debian-bookworm",
    "debian:trixie-slim": "crucible/base:debian-13-trixie",
}
"""What a registry calls an image, and what it is called here."""
TRUST = "/opt/host-certificates.crt"
VARIABLES = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE")


def make_stand_ins() -> bool:
    """Have every base image; returns whether stand-ins had to be made, since no registry answers."""
    missing = [name for name in BASES if subprocess.run(["docker", "pull", "-q", name], capture_output=True).returncode]
    for name in missing:
        make_stand_in(name, BASES[name])
    return bool(missing)


def make_stand_in(name: str, base: str) -> None:
    """Give a base that was bootstrapped the registry's name, and this machine's certificates."""
    trusting = "".join(f"ENV {variable}={TRUST}\n" for variable in VARIABLES)
    with tempfile.TemporaryDirectory() as context:
        shutil.copyfile(CERTIFICATES, Path(context) / "certificates.crt")
        Path(context, "Dockerfile").write_text(f"FROM {base}\nCOPY certificates.crt {TRUST}\n{trusting}")
        subprocess.run(["docker", "build", "-q", "-t", name, context], check=True, stdout=subprocess.DEVNULL)
