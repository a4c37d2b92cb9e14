"""All toys, each defined by one object, in one process.

`test_one_object` runs this in a separate process, because other modules read the registries on import: settings
read the providers, preferences read the services, and actions read the preferences. So the order of the imports
matters.
"""

from __future__ import annotations

import sys
from pathlib import Path

# ruff: isort: off
from tests.support.server import toy_provider
from tests.support.server import toy_service
from tests.support.server import toy_preference
from tests.support.server import toy_action


def main(folder: Path) -> None:
    """Use each of them in every way."""
    for toy in (toy_provider, toy_service, toy_preference, toy_action):
        own = folder / toy.TOY.name
        own.mkdir()
        toy.main(own)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
