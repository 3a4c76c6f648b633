"""What the source of office files refuses."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from crucible.errors import SettingsError
from pipelines.cowork.source import office_files


async def test_a_file_that_is_no_office_file_is_told_what_to_name(tmp_path: Path) -> None:
    (tmp_path / "hostname").write_text("machine")
    with pytest.raises(SettingsError, match=r"hostname has no workbook, deck or text"):
        await anext(aiter(office_files(str(tmp_path / "hostname"), Mock())))
