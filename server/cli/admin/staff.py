"""`nabu admin`: roles, second factors, and the audit log."""

import json
from pathlib import Path

import click

from server.accounts import players
from server.admin import audit, roles
from server.admin import second_factor as factors
from server.admin.games import player_named
from server.admin.roles import Role
from server.cli.admin.acting import acting, looking
from server.store.models import Staff

_NONE = "none"
_GIVEN = [*(each.value for each in Role), _NONE]


@click.command()
@click.argument("name", required=False)
@click.argument("given", metavar="administrator|moderator|none", type=click.Choice(_GIVEN), required=False)
@click.pass_obj
def role(config: Path | None, name: str | None, given: str | None) -> None:
    """Give a player a role for the pages under /admin.

    “none” removes the role. Without a role, print the player's; without a name, list all players with a role.
    """
    with acting(config) as act:
        if name is None:
            for each in roles.everybody(act.session):
                click.echo(f"{each.since:%Y-%m-%d %H:%M} UTC  {each.name}  {each.role}")
            return
        player = player_named(act.session, name)
        if given is None:
            click.echo(roles.role_of(act.session, players.identity(player)) or "no role")
            return
        roles.give(act, player, None if given == _NONE else Role(given))
    click.echo(f"{player.name} has no role." if given == _NONE else f"{player.name} is {given}.")


@click.command("second-factor")
@click.argument("name")
@click.pass_obj
def second_factor(config: Path | None, name: str) -> None:
    """Reset the second factor of a player with a role. They set up a new one at their next visit."""
    with acting(config) as act:
        player = player_named(act.session, name)
        staff = act.session.get(Staff, player.id)
        if staff is None:
            raise click.ClickException(f"{player.name} has no role.")
        factors.reset(act, staff)
    click.echo(f"The second factor of {player.name} was reset.")


@click.command()
@click.pass_obj
def log(config: Path | None) -> None:
    """Print the audit log as JSON lines, the latest first.

    It contains all actions of administrators and moderators, and of these commands.
    """
    with looking(config) as session:
        for deed in audit.done(session):
            row = {"at": f"{deed.at:%Y-%m-%dT%H:%M:%SZ}", "by": deed.by, "what": deed.what}
            about = {"player": deed.player, "game": deed.game, "why": deed.why}
            click.echo(json.dumps(row | {name: value for name, value in about.items() if value}))
