"""`nabu`: the one command."""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

import click
from sqlalchemy.exc import DBAPIError

from server.cli.parent_process import end_with_parent
from server.monitoring.logs import catch_unhandled
from server.settings.loading import BadSettings
from server.store.db import passes, said
from server.store.keys.check import WrongKey
from server.store.schema import Outdated

_COMMANDS = {
    "admin": "server.cli.admin:admin",
    "backup": "server.cli.backup:backup",
    "bench": "server.cli.bench:bench",
    "bots": "server.cli.bots:bots",
    "db": "server.cli.run:database",
    "demo": "server.cli.demo:demo",
    "doctor": "server.cli.doctor:doctor",
    "export": "server.cli.games:export",
    "import": "server.cli.games:import_",
    "mail": "server.cli.mail:mail",
    "moves": "server.cli.records:moves",
    "play": "server.cli.play:play",
    "read": "server.cli.read:read",
    "replay": "server.cli.records:replay",
    "restore": "server.cli.backup:restore",
    "serve": "server.cli.run:serve",
    "setup": "server.cli.setup:setup",
    "verify": "server.cli.verify:verify",
    "web": "server.cli.web:web",
    "worker": "server.cli.run:worker",
}
"""Where each command is."""


class _Commands(click.Group):
    """Commands that are imported when they are asked for: mail servers start `nabu mail pipe` for each mail."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
    gc.enable()
    context.obj = config
    if lifeline is not None:
        end_with_parent(lifeline)


def main() -> None:
    """Run `nabu`; whatever is wrong with settings or database is reported in plain lines, with exit code 2.

    The code is 75 where it may work the next time, as when the disk is full or others use the database.
    """
    catch_unhandled()
    try:
        nabu(prog_name="nabu")
    except (BadSettings, Outdated, WrongKey) as error:
        click.echo(error, err=True)
        sys.exit(2)
    except DBAPIError as error:
        if not passes(error):
            raise
        click.echo(f"The database cannot do this now, and it may work the next time: {said(error)}", err=True)
        sys.exit(os.EX_TEMPFAIL)
