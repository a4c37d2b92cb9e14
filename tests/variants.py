"""Every kind with each of its variants: for what has to hold in all games."""

from __future__ import annotations

from rules.registry import KINDS

VARIANTS = [(name, dict(options)) for name, kind in KINDS.items() for options in kind.variants]
"""The names of kinds, each with the options of a variant."""
