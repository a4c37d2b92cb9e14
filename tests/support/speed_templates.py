"""Templates compiled once a process, however many applications the tests make."""

from __future__ import annotations

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """Keeps in memory what templates are compiled to; Jinja asks for it by name and text of the template."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket with what is kept for it, if anything."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what is in the bucket."""
        self._kept[bucket.key] = bucket.bytecode_to_string()
