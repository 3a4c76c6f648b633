"""The browser: Chromium in a box beside the box under test."""
