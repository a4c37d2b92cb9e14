"""`nabu admin`: who may become a player, and what everybody is told."""

from datetime import timedelta
from pathlib import Path

import click

from server.accounts import newcomers
from server.accounts.newcomers import Registration
from server.admin import announcements, audit, registration_policy
from server.admin.announcements import tell
from server.cli.admin.acting import acting, looking
from server.clock.errors import BadTime
from server.clock.moments import read_moment
from server.settings.loading import load
from server.store import row_numbers

_MODES = [each.value for each in Registration]


@click.command()
@click.argument("mode", metavar="open|invited|closed", type=click.Choice(_MODES), required=False)
@click.pass_obj
def registration(config: Path | None, mode: str | None) -> None:
    """Settle who may become a player; without an argument, say who may."""
    if mode is None:
        with looking(config) as session:
            mode = newcomers.registration(session)
    else:
        with acting(config) as act:
            registration_policy.set_mode(act, Registration(mode))
    click.echo(mode)


@click.command()
@click.argument("address")
@click.pass_obj
def invite(config: Path | None, address: str) -> None:
    """Mail somebody a link that makes them a player, also where only invited people may become one."""
    with acting(config) as act:
        player = registration_policy.invite(act, address, load(config).plain_address)
    click.echo(f"{player.email} is invited.")


@click.command()
@click.argument("text")
@click.option("--days", type=click.IntRange(1, 90), default=7, show_default=True, help="How long it is shown.")
@click.option("--mail", is_flag=True, help="Mail it once to all players who want such mail.")
@click.pass_obj
def announce(config: Path | None, text: str, days: int, mail: bool) -> None:
    """Show a text on every page."""
    with acting(config) as act:
        until = act.action.now + timedelta(days=days)
        announcements.announce(act, text, until, mail=mail)
    click.echo("Everybody is told.")


@click.command("skip-numbers")
@click.pass_obj
def skip_numbers(config: Path | None) -> None:
    """Leave out numbers of games, players and mails that what was lost may have: after the database went back.

    Otherwise an address in a mail about a lost game would be that of another game. `nabu restore` does it, too.
    """
    with acting(config) as act:
        row_numbers.skip(act.session.connection(), act.action.now)
        act.note("had numbers skipped")
    click.echo("Whatever begins from now on has a number that nothing had before.")


@click.command()
@click.argument("until")
@click.argument("why")
@click.option("--from", "since", help="When it begins; now without it.")
@click.option("--mail", is_flag=True, help="Mail it once to all players who want such mail.")
@click.pass_obj
def maintenance(config: Path | None, until: str, why: str, since: str | None, mail: bool) -> None:
    """Have all clocks stand still UNTIL then, for the reason WHY, and show that on every page.

    A time is written "18:00" for the next one, or "2026-12-20 18:00", in UTC, or with a zone at its end:
    "18:00 Europe/Berlin". Everybody has at least a day after it to move. It cannot be taken back; for longer,
    plan another.
    """
    with acting(config) as act:
        try:
            start = act.action.now if since is None else read_moment(since, act.action.now)
            end = read_moment(until, start)
        except BadTime as problem:
            raise click.ClickException(str(problem)) from None
        announcements.plan(act, start, end, audit.reason(why), mail=mail)
    click.echo(f"All clocks stand still from {start:%Y-%m-%d %H:%M} until {end:%Y-%m-%d %H:%M} UTC.")


@click.command()
@click.argument("why")
@click.pass_obj
def standings(config: Path | None, why: str) -> None:
    """Mail all players whose games go on how these stand, beginning with WHY: after a restore, say."""
    with acting(config) as act:
        count = tell(act.action, audit.reason(why))
        act.note("had all players mailed how their games stand", why=why)
    click.echo(f"{count} players will be mailed within minutes if Nabu is running.")
