"""Imported before openpyxl: keeps it from importing numpy, which takes longer than all else that it imports. Numbers of
numpy's are for who writes workbooks; here they are read."""

from __future__ import annotations

import sys

sys.modules["numpy"] = None  # type: ignore[assignment]
