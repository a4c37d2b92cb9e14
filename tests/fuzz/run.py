"""Fuzzes all readers of input from outside, guided by the code that they run.

`make fuzz MINUTES=30` installs atheris and gives each reader its share of the time. An input on which one fails
is stored as a small file under `tests/fuzz/finds`, and from then on a test reads it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click

FINDS = Path(__file__).parent / "finds"
_TESTS = FINDS.parent.parent
_LONGEST = {"mail": 20_000, "html": 8_000, "record": 20_000, "position": 8_000}
_WORDS = (
    b"c4\nsay hello",
    b"challenge ben nibble time=7d",
    b"if c4 then d5",
    b"luck \xd0\xb01",
    b"give 1d\n1 ne, 2 hold",
)


def seeds(target: str) -> list[bytes]:
    """Return the first inputs of a reader: texts that it reads every day."""
    mails = [path.read_bytes() for path in sorted((_TESTS / "mails" / "in").glob("*.eml"))]
    if target == "mail":
        return mails
    if target == "sender":
        lines = [line for mail in mails for line in mail.split(b"\n") if line.lower().startswith(b"from:")]
        return [line[5:].strip() for line in lines]
    if target == "html":
        return [mail[mail.index(b"<html") :] for mail in mails if b"<html" in mail]
    if target in ("record", "position"):
        return [path.read_bytes() for path in sorted((_TESTS / "records").glob("*.json"))][:20]
    return [bytes([number]) * (target == "move") + text for number, text in enumerate(_WORDS)]


def fuzz(target: str, seconds: int) -> int:
    """Fuzz one reader in a process of its own; its exit code, 0 when nothing broke it."""
    finds = FINDS / target
    finds.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="nabu-fuzz-") as folder:
        for number, seed in enumerate(seeds(target)):
            (Path(folder) / str(number)).write_bytes(seed)
        limits = [f"-max_total_time={seconds}", f"-max_len={_LONGEST.get(target, 2_000)}", "-timeout=10"]
        quiet = ["-rss_limit_mb=1000", "-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={finds}/"]
        command = [sys.executable, "-m", "tests.fuzz.run", "--inside", target, *limits, *quiet, folder]
        return subprocess.run(command, check=False).returncode


def inside(target: str, arguments: list[str]) -> None:
    """Fuzz one reader, in its own process."""
    import atheris

    with atheris.instrument_imports(include=["mail", "rules", "server"]):
        from tests.fuzz.targets import TARGETS
    reader: Callable[[bytes], None] = TARGETS[target]
    atheris.Setup([sys.argv[0], *arguments], reader)
    atheris.Fuzz()


@click.command()
@click.argument("minutes", type=float)
@click.argument("targets", nargs=-1)
def main(minutes: float, targets: tuple[str, ...]) -> None:
    """Fuzz TARGETS, or all, for MINUTES altogether."""
    from tests.fuzz.targets import TARGETS

    chosen = targets or tuple(TARGETS)
    broken = [target for target in chosen if fuzz(target, round(60 * minutes / len(chosen)))]
    if broken:
        raise click.ClickException(f"What broke {', '.join(broken)} lies in {FINDS}.")
    click.echo(f"Nothing broke {', '.join(chosen)}.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(sys.argv[2], sys.argv[3:])
    else:
        main()
