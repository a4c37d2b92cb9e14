"""`nabu admin`: what waits to be handled and to be sent, and domains to which nothing is sent."""

from contextlib import closing
from pathlib import Path

import click

from server.cli.office import office, told
from server.cli.processes import open_configured
from server.operating import deeds, domains
from server.store.db import reading, writing


@click.command()
@click.argument("domain", required=False)
@click.argument("why", default="")
@click.pass_obj
def hold(config: Path | None, domain: str | None, why: str) -> None:
    """Send nothing to the addresses of a domain until it is released; without arguments, list those held.

    Its mails wait, however long. Those to addresses of its subdomains are sent.
    """
    with closing(open_configured(config)) as services:
        if domain is None:
            with reading(services.engine) as session:
                for each in domains.listed(session):
                    since = f"since {each.since:%Y-%m-%d %H:%M} UTC"
                    click.echo(f"{each.domain}  {since}  {_waiting(each.mails)}  {each.why}")
            return
        with writing(services.engine) as session, told():
            held = domains.hold(office(services, session), domain, deeds.reason(why))
    click.echo(f"Nothing is sent there until `nabu admin release {held.domain}`. {_waiting(held.mails)}.")


@click.command()
@click.argument("domain")
@click.pass_obj
def release(config: Path | None, domain: str) -> None:
    """Send again to a domain that is held, beginning with what waits, as far as it is still true."""
    with closing(open_configured(config)) as services, writing(services.engine) as session, told():
        count = domains.release(office(services, session), domain)
    waited = f"{count} {'mail' if count == 1 else 'mails'} that waited"
    click.echo(f"{domain} gets mail again, beginning with {waited}, if Nabu is running.")


def _waiting(count: int) -> str:
    return "1 mail waits" if count == 1 else f"{count} mails wait"
