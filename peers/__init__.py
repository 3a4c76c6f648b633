"""Exports tried in the tools they are named after: `make peers`, and docs/peers.md tells what was seen."""
