"""Draw letters into `docs/pictures/mail` and pages into `docs/pictures/pages`, which git ignores.

Those of the README are in `docs/pictures/readme`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from PIL import Image
from selenium import webdriver

from tests.pictures import OF_LETTERS, OF_PAGES, OF_README
from tests.pictures.letters import pictured
from tests.pictures.readme import readme
from tests.pictures.served import shown
from tests.pictures.sheets import draw, draw_page
from tests.support import random_values
from tests.support.web.chromium import chromium


def main(wanted: list[str]) -> None:
    """Draw "letters", "pages" and "readme", or some of them, with the same random values each time."""
    os.environ["CI"] = "1"
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder), scripts=True) as driver:
        if "letters" in wanted:
            random_values.seed_from("pictures")
            _keep(OF_LETTERS, ((name, draw(driver, letter, Path(folder))) for name, letter in pictured()))
        if "pages" in wanted:
            random_values.seed_from("pictures")
            _keep(OF_PAGES, _pages(driver))
        if "readme" in wanted:
            random_values.seed_from("pictures")
            _keep(OF_README, readme(driver, Path(folder)))


def _pages(driver: webdriver.Chrome) -> Iterable[tuple[str, Image.Image]]:
    with shown() as addresses:
        for name, address in addresses.items():
            yield name, draw_page(driver, address)


def _keep(folder: Path, pictures: Iterable[tuple[str, Image.Image]]) -> None:
    """Replace the pictures in a folder by these."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, picture in pictures:
        picture.save(folder / f"{name}.webp", lossless=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["letters", "pages", "readme"])
