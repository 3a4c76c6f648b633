"""Shards on disk: Parquet, JSON lines or folders, with a manifest, a lineage table and a dataset card."""
