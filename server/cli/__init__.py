"""`nabu`: the one command."""

import sys
from pathlib import Path

import click

from server.cli import bench
from server.cli.admin import admin
from server.cli.demo import demo
from server.cli.files import moves, read, replay
from server.cli.games import export, import_
from server.cli.mail import mail
from server.cli.processes import database, serve, web, worker
from server.cli.staff import log, role, second_factor
from server.cli.starting import end_with_parent
from server.cli.verify import verify
from server.logs import catch_unhandled
from server.settings.loading import BadSettings
from server.store.db import SchemaOutdated
from server.store.keys import WrongKey


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nabu")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    envvar="NABU_CONFIG",
    help="A file of settings, one NABU_NAME=value per line; environment variables take precedence.",
)
@click.option("--lifeline", type=int, hidden=True, help="A pipe: when it is closed at its other end, end.")
@click.pass_context
def nabu(context: click.Context, config: Path | None, lifeline: int | None) -> None:
    """A server for correspondence games, played by e-mail and on the web."""
    context.obj = config
    if lifeline is not None:
        end_with_parent(lifeline)


for command in (
    *(admin, bench.command(), database, demo, export, import_, mail),
    *(moves, read, replay, serve, verify, web, worker),
):
    nabu.add_command(command)
for command in (log, role, second_factor):
    admin.add_command(command)


def main() -> None:
    """Run `nabu`; whatever is wrong with settings or database is reported in plain lines, with exit code 2."""
    catch_unhandled()
    try:
        nabu()
    except (BadSettings, SchemaOutdated, WrongKey) as error:
        click.echo(error, err=True)
        sys.exit(2)
