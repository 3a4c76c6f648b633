"""Runs in a box of office work: `python spoil_answer.py`, told by JSON on standard input which answer to spoil and how.

Not for import: the code of `mutants.toml` is executed. The answer is our own right one, and the code is our own too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

told = json.load(sys.stdin)
path, tolerance = Path(told["path"]), told["tolerance"]
answer = json.loads(path.read_text())
exec(told["code"])
path.write_text(json.dumps(answer))
