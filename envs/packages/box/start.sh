#!/bin/sh
# Starts the cache on its volume: makes its certificate and its folders where they are missing.
set -e
umask 077
if [ ! -s /data/ca.pem ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=Crucible package cache" \
        -keyout /data/key.pem -out /data/certificate.pem 2>/dev/null
    cat /data/certificate.pem /data/key.pem > /data/ca.pem
    rm /data/key.pem
fi
sed "s/@DISK_MB@/$1/" /opt/packages/squid.conf > /data/squid.conf
rm -rf /data/certificates /data/squid.pid  # made anew: a killed cache may have left them in the middle of a write
/usr/lib/squid/security_file_certgen -c -s /data/certificates -M 16MB >/dev/null
[ -d /data/cache/00 ] || squid -N -z -f /data/squid.conf
exec squid -N -f /data/squid.conf
