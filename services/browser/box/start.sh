# Ends the driver that may still run, with its browser, and starts another; waits until it answers.
cd /tmp
[ ! -e driver.pid ] || kill -9 -- "-$(cat driver.pid)" 2>/dev/null
rm -f driver.sock
export PLAYWRIGHT_NODEJS_PATH=/opt/playwright/node
setsid sh -c 'echo $$ >/tmp/driver.pid; cd /opt/browser; exec /opt/playwright/bin/python -m services.browser.box.driver /tmp/driver.sock' >driver.log 2>&1 </dev/null &
while ! [ -S driver.sock ]; do
    kill -0 $! 2>/dev/null || { cat driver.log >&2; exit 1; }
    sleep 0.03
done
