"""The report: what a run made, to look at. A folder of pages (`write`), or pages served as they are asked (`serve`)."""

from crucible.report.write import write_report

__all__ = ["write_report"]
