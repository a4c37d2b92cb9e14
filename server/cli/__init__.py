"""The command `nabu` and its subcommands."""

import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from server.monitoring.logs import catch_unhandled

_COMMANDS = {
    "admin": ("server.cli.admin:admin", "Commands for the administrator."),
    "backup": ("server.cli.backup:backup", "Back up the database while Nabu runs."),
    "bench": ("server.cli.bench:bench", "Print measurements of this machine."),
    "bots": ("server.cli.bots:bots", "Run games between computer players."),
    "db": ("server.cli.run:database", "Manage the database."),
    "demo": ("server.cli.demo:demo", "Run a demo on this machine."),
    "doctor": ("server.cli.doctor:doctor", "Check the installation, and print how to fix problems."),
    "export": ("server.cli.games:export", "Print a game as a record."),
    "import": ("server.cli.games:import_", "Store a record as a game between existing players."),
    "mail": ("server.cli.mail:mail", "Receive incoming emails."),
    "moves": ("server.cli.records:moves", "List the legal moves in a position."),
    "play": ("server.cli.play:play", "Play against the computer."),
    "read": ("server.cli.read:read", "Show how Nabu reads emails."),
    "replay": ("server.cli.records:replay", "Replay records, and show how they end."),
    "restore": ("server.cli.backup:restore", "Restore a backup into an empty database."),
    "salvage": ("server.cli.backup:salvage", "Copy the intact games of a damaged SQLite file into a new one."),
    "serve": ("server.cli.serve:serve", "Run web pages, mail, worker and computer players."),
    "setup": ("server.cli.setup:setup", "Write a settings file from a few answers."),
    "verify": ("server.cli.verify:verify", "Check an exported game."),
    "web": ("server.cli.web:web", "Serve the web pages."),
    "worker": ("server.cli.run:worker", "Run background jobs, or the computer players."),
}
"""The module and the name of each command, and the first sentence of its help, for `nabu --help`."""


class _Commands(click.Group):
    """Commands that are imported only when they are used: importing all of Nabu takes a second."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in _COMMANDS.items()])


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
    except Exception as error:
        # Imported here: `nabu --help` and `nabu mail pipe` do not need it.
        from server.cli.startup_checks import explanation

        explained = explanation(error)
        if explained is None:
            raise
        sentence, code = explained
        click.echo(sentence, err=True)
        sys.exit(code)
