"""Draws every letter into `docs/pictures/mail`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests import draws
from tests.e2e.browsing import chromium
from tests.pictures import FOLDER
from tests.pictures.letters import pictured
from tests.pictures.sheets import draw


def main() -> None:
    """Draw them anew; what is drawn by lot is the same each time."""
    os.environ["CI"] = "1"
    draws.settle("pictures")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder), scripts=True) as driver:
        for name, letter in pictured():
            draw(driver, letter, Path(folder)).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
