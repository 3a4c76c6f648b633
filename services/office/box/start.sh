# Ends the suite that may still run, and starts another with a fresh profile; waits until it answers.
# It listens on a pipe in the box's files: there is no port. So do the programs that stay beside it (serve.py).
cd /tmp
for pid in office.pid programs.pid; do
    [ ! -e "$pid" ] || kill -9 -- "-$(cat "$pid")" 2>/dev/null
done
rm -rf office profile OSL_PIPE_* suite.sock readers.sock
mkdir -p profile/user office
cp /opt/office/profile.xcu profile/user/registrymodifications.xcu
setsid sh -c 'echo $$ >office.pid; exec soffice --headless --norestore --nologo --nodefault --nofirststartwizard \
    -env:UserInstallation=file:///tmp/profile "--accept=pipe,name=office;urp;"' >office.log 2>&1 </dev/null &
office=$!
setsid sh -c 'echo $$ >programs.pid; cd office; python3 /opt/office/serve.py /tmp/suite.sock suite slim_deck slim_workbook &
    exec /opt/office-python/bin/python /opt/office/serve.py /tmp/readers.sock --fork no_numpy openpyxl pptx pypdfium2' \
    >programs.log 2>&1 </dev/null &
until [ -S suite.sock ] && [ -S readers.sock ]; do
    kill -0 $! 2>/dev/null || { cat programs.log >&2; exit 1; }
    sleep 0.1
done
until python3 /opt/office/convert.py; do
    kill -0 "$office" 2>/dev/null || { cat office.log >&2; exit 1; }
    sleep 0.3
done
