"""`nabu doctor`: check the installation, and print how to fix each problem."""

import json
import os
import shutil
import ssl
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from mail.authentication.checks.dns import Resolver
from server.admin.sanitize import escaped
from server.doctor import data
from server.doctor.examination import CHECKS, examine
from server.doctor.finding import Finding
from server.doctor.installation import Installation, own_address
from server.monitoring import logs
from server.processes.services import open_services
from server.settings import Settings
from server.settings.loading import load

_WIDTH = max(len(check.name) for check in CHECKS)
_SIGNS = {"fine": ("fine", "green"), "wrong": ("WRONG", "red"), "unknown": ("?", "yellow")}
_INDENT = " " * (_WIDTH + 9)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the results as a JSON list of objects.")
@click.option(
    "--patience", type=click.FloatRange(1, 3600), default=90.0, help="Seconds to wait for the test email."
)
@click.pass_obj
def doctor(config: Path | None, as_json: bool, patience: float) -> None:
    """Check the installation, and print how to fix problems.

    The checks cover this machine, the database, mail, the DNS and the web pages. Nabu should be running: one
    check sends an email to Nabu itself. "?" marks a check that is not possible from this machine. The exit code
    is 1 if anything is wrong.
    """
    settings = load(config)
    logs.set_up("CRITICAL")
    told = []
    for name, found in _findings(settings, config, patience):
        told.append({"check": name, **asdict(found)})
        if not as_json:
            _tell(name, found)
    if as_json:
        click.echo(json.dumps(told, indent=2))
    sys.exit(any(each["state"] == "wrong" for each in told))


def _findings(settings: Settings, config: Path | None, patience: float) -> Iterator[tuple[str, Finding]]:
    missing = data.missing(settings)
    if missing is not None:  # opening it would create it
        yield "database", missing
        return
    with closing(open_services(settings)) as services:
        tls = ssl.create_default_context()
        installation = Installation(services, config, Resolver(), own_address(), tls, patience)
        for check, found in examine(installation):
            yield check.name, found


def _tell(name: str, found: Finding) -> None:
    word, colour = _SIGNS[found.state]
    sign = word.ljust(5) if os.environ.get("NO_COLOR") else click.style(word.ljust(5), fg=colour)
    first, *more = _folded(found.told)
    click.echo(f"{name.ljust(_WIDTH)}  {sign}  {first}")
    for line in (*more, *_folded(found.fix)):
        click.echo(f"{_INDENT}{line}")


def _folded(text: str) -> list[str]:
    """Wrap the text beside the names of the checks. Words stay unbroken, as people copy some of them."""
    width = max(40, shutil.get_terminal_size().columns - len(_INDENT))
    return textwrap.wrap(escaped(text), width, break_long_words=False, break_on_hyphens=False)
