"""A recipe written out as a Dockerfile and its build context. Pure: same recipe, same bytes."""

from __future__ import annotations

import io
import json
import shlex
import tarfile
from collections.abc import Mapping

from crucible.sandbox import Recipe

RECIPE_FORMAT = 2
"""Part of every tag: raise it when the same recipe comes to mean another image."""
RECIPE_LABEL = "crucible.recipe"
"""The label on every image of a recipe: the part of its name after the colon."""
APT_GET = "apt-get -q -o Acquire::Retries=3"
"""How packages are fetched: a mirror that hiccups is asked again."""
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
"""Where an image keeps the certificates it trusts."""
COPY_CERTIFICATES = f"COPY ca-certificates.crt {CERTIFICATES}"
"""Puts the host's certificate bundle in: behind an inspecting proxy nothing installs without it."""
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE")
"""Variables by which programs are told which certificates to trust."""
CERTIFICATE_ENVIRONMENT = dict.fromkeys(CERTIFICATE_VARIABLES, CERTIFICATES)
"""Tells every program in the image to trust what the host trusts."""


def render_dockerfile(recipe: Recipe, base: str, workdir: str, labels: Mapping[str, str], seconds: int = 1800) -> str:
    """The recipe as a Dockerfile; a file is `file-N` and an archive `archive-N.tar` in the context.

    What recipes share stands first, what is particular last: the engine reuses layers up to the first change.
    The recipe's own commands carry their deadline with them: the engine has none, and would run them for ever.
    """
    lines = [f"FROM {base}", COPY_CERTIFICATES, *_env_lines(CERTIFICATE_ENVIRONMENT)]
    if recipe.packages:
        install = f"{APT_GET} install -y --no-install-recommends {shlex.join(recipe.packages)}"
        update_and_install = f"{APT_GET} update && {install} && rm -rf /var/lib/apt/lists/*"
        lines.append(_run_line(update_and_install, "env", "DEBIAN_FRONTEND=noninteractive"))
        lines.append(COPY_CERTIFICATES)  # installing the package of that name has just written its own
    lines.append(_run_line(_make_user_command(recipe.user, workdir)))
    lines += _env_lines(recipe.environment)
    lines += [_run_line(command, "timeout", "-k", "5", str(seconds)) for command in recipe.tools]
    for number, folder in enumerate(recipe.archives):
        lines.append(f"ADD {json.dumps([f'archive-{number}.tar', folder.rstrip('/') + '/'])}")
    for number, path in enumerate(recipe.files):
        lines.append(f"COPY {json.dumps([f'file-{number}', path])}")
    lines.append(f"WORKDIR {workdir}")
    lines += [_run_line(command, "timeout", "-k", "5", str(seconds)) for command in recipe.commands]
    lines += [f"LABEL {key}={json.dumps(value)}" for key, value in labels.items()]
    return "\n".join(lines) + "\n"


def pack_context(recipe: Recipe, text: str, archives: Mapping[str, bytes], certificates: bytes) -> bytes:
    """The tar that is sent to the engine: the Dockerfile, the host's certificates, the recipe's archives and files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        _add_file(archive, "Dockerfile", text.encode())
        _add_file(archive, "ca-certificates.crt", certificates)
        for number, blob in enumerate(recipe.archives.values()):
            _add_file(archive, f"archive-{number}.tar", archives[blob])
        for number, content in enumerate(recipe.files.values()):
            _add_file(archive, f"file-{number}", content.encode(errors="surrogateescape"))
    return buffer.getvalue()


def _env_lines(variables: Mapping[str, str]) -> list[str]:
    return [f"ENV {key}={json.dumps(value)}" for key, value in variables.items()]


def _run_line(command: str, *prefix: str) -> str:
    """A line that runs a shell command; the words of the prefix stand before the shell."""
    return "RUN " + json.dumps([*prefix, "/bin/sh", "-ec", command])


def _make_user_command(user: str, workdir: str) -> str:
    name, folder = shlex.quote(user), shlex.quote(workdir)
    add = f"useradd --create-home --uid 1000 {name} 2>/dev/null || useradd --create-home {name} || adduser -D {name}"
    return f"id {name} >/dev/null 2>&1 || {add}; mkdir -p {folder} && chown {name} {folder}"


def _add_file(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o644
    archive.addfile(entry, io.BytesIO(data))
