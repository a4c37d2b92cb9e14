"""Run commands from the page for administrators on this machine."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.support.folders import ROOT

_PAGE = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
_SUDO = 'sudo() { if [ "$1" = -u ]; then shift 2; fi; "$@"; }\n'
_OWNER = re.compile(r"-o \w+ -g \w+ ")
"""Everything here is done as one user."""


def commands(title: str) -> list[str]:
    """Return the blocks of commands in the section of the page with this heading."""
    part = _PAGE.partition(f"\n### {title}\n")[2]
    return re.findall(r"^```\n(.+?)^```$", re.split(r"^#", part, flags=re.M)[0], re.M | re.S)


class Place:
    """A folder that is the machine of which the page speaks: `places` are folders there, by their paths.

    `services` is shell for what `systemctl` does there.
    """

    def __init__(self, folder: Path, places: Mapping[str, str], services: str, user: str | None = None) -> None:
        self.folder, self._places, self._services, self._user = folder, places, services, user

    def here(self, text: str) -> str:
        """Return a documented text about the example machine, changed to be about this one."""
        for there, here in self._places.items():
            text = text.replace(there, str(self.folder / here))
        return _OWNER.sub("", text)

    def do(self, block: str, **environment: str) -> None:
        """Give a block of commands; raises if one fails."""
        given = {"PATH": os.environ["PATH"], **environment}
        done = subprocess.run(
            ["/bin/sh", "-e", "-c", _SUDO + self._services + self.here(block)],
            user=self._user,
            cwd=self.folder,
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{block}{done.stdout}{done.stderr}")

    def lay_out(self, *names: str) -> None:
        """Put files of `deploy` where the page takes them from, for that machine."""
        for name in names:
            file = self.folder / "deploy" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.here((ROOT / "deploy" / name).read_text(encoding="utf-8")))
