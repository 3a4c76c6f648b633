#!/bin/sh
# A virtual environment, on a machine whose Python came without the means to make one. Usage: venv.sh PYTHON FOLDER
set -u
"$1" -m venv "$2" >/dev/null 2>&1 && exit 0
rm -rf "$2"
package="python$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "$1 cannot make a virtual environment; as root: apt-get install $package" >&2
    exit 1
fi
apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$package"
exec "$1" -m venv "$2"
