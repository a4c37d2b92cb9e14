"""Lays out the test emails of public projects for `nabu bench read`.

`python -m tests.mails.public.layout FOLDER` clones the projects into FOLDER/projects, unless they are there,
and copies their emails and licences into FOLDER/mails. The tables in this folder have the text to be read.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from mail.reading.message import read

HERE = Path(__file__).parent
PROJECTS = {
    "talon": ("mailgun/talon", "71d9b6eb78e985bcdfbf99b69c20c001b4b818c4"),
    "crisp": ("crisp-oss/email-reply-parser", "0b3704c8744d6f57ae1d86d7eab75535c51d2f5c"),
    "unquotemail": ("getfernand/unquotemail", "9eb56ace931b56fc1700469b03b04d70fff3bd13"),
    "github": ("github/email_reply_parser", "59e5859cfe826d3cb6069bbbfd8577230c93b3cf"),
    "discourse": ("discourse/email_reply_trimmer", "117fd1a2703d110651d4faec09b12dc1fc22f237"),
    "zapier": ("zapier/email-reply-parser", "f67a872de3c7bebe3bd836afec60ab3f1201e8a6"),
}
"""The projects on GitHub by the name of their table, each with the commit that the table speaks of."""

_NOT_SHOWN = re.compile(r"<!--.*?-->|<(style|script|title|head)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def clone(address: str, commit: str, checkout: Path) -> None:
    """Check a commit of a repository out, unless there is a checkout."""
    if not checkout.exists():
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", address, checkout], check=True)
        subprocess.run(["git", "-C", checkout, "checkout", "--quiet", commit], check=True)


def lay_out(checkout: Path, table: Path, folder: Path) -> None:
    """Write the mails that a table names as `in/NAME.eml` and `out/NAME.txt`, with licence and origin."""
    for name in ("in", "out"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    shutil.copy(checkout / "LICENSE", folder)
    lines = table.read_text(encoding="utf-8").splitlines()
    (folder / "NOTICE").write_text("\n".join(line for line in lines if line.startswith("#")) + "\n")
    for line in lines:
        if line.startswith("#"):
            continue
        path, places = line.split()
        name = path.replace("/", "-").replace(".", "-")
        raw = _as_mail(checkout / path)
        text = "\n".join(_pieces(raw, checkout / path, places))
        (folder / "in" / f"{name}.eml").write_bytes(raw)
        (folder / "out" / f"{name}.txt").write_text(f"kind: reply\n\n{text}\n", encoding="utf-8")


def _as_mail(path: Path) -> bytes:
    """A mail as it is, or a mail with this text."""
    data = path.read_bytes()
    if path.suffix == ".eml":
        return data
    subtype = "html" if path.suffix == ".html" else "plain"
    return f"MIME-Version: 1.0\nContent-Type: text/{subtype}; charset=utf-8\n\n".encode() + data


def _pieces(raw: bytes, path: Path, places: str) -> Iterator[str]:
    """Return the text at places such as `1-5,8`: lines of the text, or words of the HTML."""
    if places.startswith("w"):
        pieces = html.unescape(_NOT_SHOWN.sub(" ", path.read_text(encoding="utf-8", errors="replace"))).split()
    else:
        pieces = read(raw).raw_text.split("\n")
    joint = " " if places.startswith("w") else "\n"
    for part in places.removeprefix("w").split(","):
        first, _, last = part.partition("-")
        yield joint.join(pieces[int(first) - 1 : int(last or first)])


if __name__ == "__main__":
    target = Path(sys.argv[1])
    for name, (project, commit) in PROJECTS.items():
        clone(f"https://github.com/{project}", commit, target / "projects" / name)
        lay_out(target / "projects" / name, HERE / f"{name}.txt", target / "mails" / name)
