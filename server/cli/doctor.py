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

from mail.addresses import BadAddress, normalise
from mail.authentication.checks.dns import Resolver
from mail.outgoing.delivering import DeliveryFailed
from server.admin.sanitize import escaped
from server.doctor import data
from server.doctor.examination import CHECKS, examine
from server.doctor.finding import Finding
from server.doctor.installation import Installation, own_address
from server.doctor.mail_checks import advice
from server.doctor.round_trip import travel
from server.errors import refusing
from server.monitoring import logs
from server.processes.services import Services, open_services
from server.settings import Settings
from server.settings.loading import load

_WIDTH = max(len(check.name) for check in CHECKS)
_SIGNS = {"fine": ("fine", "green"), "wrong": ("WRONG", "red"), "unknown": ("?", "yellow")}
_INDENT = " " * (_WIDTH + 9)
_ITSELF, _PERSON = 90.0, 600.0
"""Seconds to wait for a test email to Nabu itself, and for a person's reply."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the results as a JSON list of objects.")
@click.option(
    "--patience",
    type=click.FloatRange(1, 3600),
    help=f"Seconds to wait for the test email; default: {_ITSELF:.0f}, with --to {_PERSON:.0f}.",
)
@click.option(
    "--to",
    "address",
    metavar="ADDRESS",
    help="Run no checks; send a test email to this address, and wait for the reply.",
)
@click.pass_obj
def doctor(config: Path | None, as_json: bool, patience: float | None, address: str | None) -> None:
    """Check the installation, and print how to fix problems.

    The checks cover this machine, the database, mail, the DNS and the web pages. Nabu should be running: one
    check sends an email to Nabu itself. "?" marks a check that is not possible from this machine. The exit code
    is 1 if anything is wrong. With --to, it instead checks that emails reach a person and that replies come in.
    """
    if address is not None and as_json:
        raise click.UsageError("--to waits for a reply and cannot be combined with --json.")
    settings = load(config)
    logs.set_up("CRITICAL")
    if address is not None:
        _write_to(settings, address, patience or _PERSON)
        return
    told = []
    for name, found in _findings(settings, config, patience or _ITSELF):
        told.append({"check": name, **asdict(found)})
        if not as_json:
            _tell(name, found)
    if as_json:
        click.echo(json.dumps(told, indent=2))
    sys.exit(any(each["state"] == "wrong" for each in told))


def await_reply(services: Services, person: str, patience: float) -> None:
    """Send a test email to a person, and wait until the reply comes in; print both. Raises ClickException."""
    click.echo(f"Sending a test email to {person}. Reply to it. Press Ctrl-C to stop waiting.")
    try:
        trip = travel(services, patience, person)
    except DeliveryFailed as failure:
        raise click.ClickException(f"The relay refused it: {failure}.\n{advice(failure)}") from None
    if trip.back is None:
        raise click.ClickException(
            "No reply came in. If you got the email, check that mail for the domain is delivered to Nabu. If "
            "not, look into your spam folder and the relay's log."
        )
    click.echo(f"Your reply came in after {trip.seconds:.0f} seconds.")


def _write_to(settings: Settings, address: str, patience: float) -> None:
    with refusing(BadAddress):
        person = normalise(address)
    missing = data.missing(settings)
    if missing is not None:
        raise click.ClickException(f"{missing.sentence} {missing.fix}")
    with closing(open_services(settings)) as services:
        await_reply(services, person, patience)


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
    first, *more = _folded(found.sentence)
    click.echo(f"{name.ljust(_WIDTH)}  {sign}  {first}")
    for line in (*more, *_folded(found.fix)):
        click.echo(f"{_INDENT}{line}")


def _folded(text: str) -> list[str]:
    """Wrap the text beside the names of the checks. Words stay unbroken, as people copy some of them."""
    width = max(40, shutil.get_terminal_size().columns - len(_INDENT))
    return textwrap.wrap(escaped(text), width, break_long_words=False, break_on_hyphens=False)
