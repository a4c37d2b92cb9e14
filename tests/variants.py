"""Every kind with each of its variants: for what has to hold in all games."""

from __future__ import annotations

from rules.registry import KINDS

VARIANTS = [(name, dict(options)) for name, kind in KINDS.items() for options in kind.variants]
"""The names of kinds, each with the options of a variant."""

ONE_EACH = list({kind: (kind, options) for kind, options in reversed(VARIANTS)}.values())
"""The first variant of each kind: for what takes long, on the second database, which knows no variants."""

QUICK = [
    (kind, options)
    for kind, options in VARIANTS
    if (kind, options)
    in (
        ("nardshir", {}),
        ("nebuchadnezzar", {"size": 4}),
        ("nelaxtam", {"size": 10, "troops": 3, "sea": 2}),
        ("nexus", {}),
        ("nibble", {}),
    )
]
"""The variant of each kind that is over soonest."""
