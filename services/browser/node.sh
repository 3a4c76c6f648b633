#!/bin/sh
# Lies in the image as /opt/playwright/node: Playwright's program, which starts in two thirds of the time when its scripts
# are found compiled (they are when the image is made, by the user who runs it) and its memory need not grow first.
export NODE_COMPILE_CACHE=/opt/playwright/compiled
exec /opt/playwright/lib/python3*/site-packages/playwright/driver/node --max-semi-space-size=64 --min-semi-space-size=32 "$@"
