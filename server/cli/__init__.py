"""The command `nabu` and its subcommands."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click
from sqlalchemy.exc import DBAPIError

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
    "salvage": "server.cli.backup:salvage",
    "serve": "server.cli.serve:serve",
    "setup": "server.cli.setup:setup",
    "verify": "server.cli.verify:verify",
    "web": "server.cli.web:web",
    "worker": "server.cli.run:worker",
}
"""The module and the name of each command."""


class _Commands(click.Group):
    """Commands that are imported only when they are used, so that `nabu mail pipe` starts fast."""

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
    help="A settings file with lines such as NABU_MAIL_DOMAIN=games.example.org. Environment variables take "
    "precedence.",
)
@click.pass_context
def nabu(context: click.Context, config: Path | None) -> None:
    """A server for correspondence games, played by email and on the web."""
    gc.enable()
    context.obj = config


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `nabu` with these arguments, or those of the process, and exit.

    The exit code is 2, with plain lines, if the settings or the database are wrong, and 75 for problems that
    may pass, such as a full disk or a database that is locked.
    """
    catch_unhandled()
    try:
        nabu(arguments, prog_name="nabu")
    except (BadSettings, Outdated, WrongKey) as error:
        click.echo(error, err=True)
        sys.exit(2)
    except DBAPIError as error:
        if not passes(error):
            raise
        click.echo(f"The database cannot do this now. Try again later: {said(error)}", err=True)
        sys.exit(os.EX_TEMPFAIL)
