# Ends the suite that may still run, and starts another with a fresh profile; waits until it answers.
# It listens on a pipe in the box's files: there is no port.
cd /tmp
[ ! -e office.pid ] || kill -9 -- "-$(cat office.pid)" 2>/dev/null
rm -rf office profile OSL_PIPE_*
mkdir -p profile/user office
cp /opt/office/profile.xcu profile/user/registrymodifications.xcu
setsid sh -c 'echo $$ >office.pid; exec soffice --headless --norestore --nologo --nodefault --nofirststartwizard \
    -env:UserInstallation=file:///tmp/profile "--accept=pipe,name=office;urp;"' >office.log 2>&1 </dev/null &
until python3 /opt/office/convert.py; do
    kill -0 $! 2>/dev/null || { cat office.log >&2; exit 1; }
    sleep 0.3
done
