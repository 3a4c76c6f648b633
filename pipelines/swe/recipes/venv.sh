# Installing python3-venv brings the package ca-certificates, which writes its own bundle over the one the world put
# in; behind an inspecting proxy nothing could be installed after that. So the world's bundle is kept, if it has one.
bundle=/etc/ssl/certs/ca-certificates.crt
cp -p "$bundle" /tmp/bundle 2>/dev/null || :
apt-get -q update
DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 install -y --no-install-recommends python3-venv
rm -rf /var/lib/apt/lists/*
if [ -s /tmp/bundle ]; then cp -p /tmp/bundle "$bundle"; fi
rm -f /tmp/bundle
python3 -m venv /opt/venv
