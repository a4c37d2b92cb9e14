"""Signs on pieces, so that colour is not their only difference: each a path around the origin."""

from __future__ import annotations

from typing import Final

GLYPHS: Final = {
    "": "",
    "dot": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "ring": "M-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0zM-3.7 0a3.7 3.7 0 1 1 7.4 0a3.7 3.7 0 1 1-7.4 0z",
    "bar": "M-2-7h4v14h-4z",
    "dash": "M-7-2h14v4h-14z",
    "lines": "M-7-5.5h14v3.5h-14zM-7 2h14v3.5h-14z",
    "plus": "M-1.8-7h3.6v5.2h5.2v3.6h-5.2v5.2h-3.6v-5.2h-5.2v-3.6h5.2z",
    "cross": "M-6.3-3.7L-3.7-6.3 0-2.6 3.7-6.3 6.3-3.7 2.6 0 6.3 3.7 3.7 6.3 0 2.6-3.7 6.3-6.3 3.7-2.6 0z",
    "square": "M-5-5h10v10h-10z",
    "box": "M-6-6h12v12h-12zM-3.4-3.4v6.8h6.8v-6.8z",
    "triangle": "M0-6.5L6.5 5h-13z",
    "wedge": "M0 6.5L6.5-5h-13z",
    "diamond": "M0-7.5L6 0 0 7.5-6 0z",
    "pair": "M-7.5 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM1.5 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
}
"""Paths by name."""
