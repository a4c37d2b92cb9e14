"""`nabu admin`: the operation of the server: registration, announcements, maintenance, and repairs."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import click

from server.accounts import newcomers
from server.accounts.newcomers import Registration
from server.admin import announcements, audit, registration_policy
from server.admin.announcements import tell
from server.cli.admin.acting import YES, acting, confirm, looking
from server.cli.run import open_configured
from server.clock.errors import BadTime
from server.clock.moments import read_moment
from server.jobs import downtime
from server.jobs.job import Work
from server.processes.services import utc_now
from server.settings.loading import load
from server.store.rollback import history, row_numbers

_MODES = [each.value for each in Registration]


@click.command()
@click.argument("mode", metavar="open|invited|closed", type=click.Choice(_MODES), required=False)
@click.pass_obj
def registration(config: Path | None, mode: str | None) -> None:
    """Set or print who may sign up.

    With “open”, everyone may; with “invited”, only invited people; with “closed”, no one.
    """
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
    """Email someone a link to sign up.

    The link also works while only invited people may sign up.
    """
    with acting(config) as act:
        player = registration_policy.invite(act, address, load(config).plain_address)
    click.echo(f"{player.email} is invited.")


@click.command()
@click.argument("text")
@click.option(
    "--days", type=click.IntRange(1, 90), default=7, show_default=True, help="The number of days to show it."
)
@click.option("--mail", is_flag=True, help="Also email it to all players who want such emails.")
@YES
@click.pass_obj
def announce(config: Path | None, text: str, days: int, mail: bool, yes: bool) -> None:
    """Show an announcement on every page."""
    where = "on every page and, by email, to all players who want that" if mail else "on every page"
    confirm(f"This will be shown for {days} days {where}:\n{text.strip()}", yes=yes)
    with acting(config) as act:
        until = act.action.now + timedelta(days=days)
        announcements.announce(act, text, until, mail=mail)
    click.echo("The announcement is published.")


@click.command("skip-numbers")
@click.pass_obj
def skip_numbers(config: Path | None) -> None:
    """Skip used numbers after a rollback of the database.

    Lost games, players and emails may have used these numbers: a reply to an email about a lost game could
    reach another game. From then on, all machines accept this database although it is older than the one that
    they have used before. `nabu restore` does both, too.
    """
    with acting(config, any_history=True) as act:
        row_numbers.skip(act.session.connection(), act.action.now)
        history.raise_generation(act.session, act.action.now)
        act.note("skipped numbers")
    click.echo("New games, players and emails get numbers that were never used before.")


@click.command()
@click.argument("until")
@click.argument("why")
@click.option("--from", "since", help="The start; default: now.")
@click.option("--mail", is_flag=True, help="Also email it to all players who want such emails.")
@YES
@click.pass_obj
def maintenance(config: Path | None, until: str, why: str, since: str | None, mail: bool, yes: bool) -> None:
    """Plan maintenance: pause all clocks for its duration.

    It lasts UNTIL a time, for the reason WHY, and every page announces it. Write a time as "18:00" (the next
    one) or "2026-12-20 18:00", in UTC, or with a time zone: "18:00 Europe/Berlin". All players have at least a
    day after it to move. You cannot cancel it; to extend it, plan another one.
    """
    now = utc_now()
    try:
        begins = now if since is None else read_moment(since, now)
        end = read_moment(until, begins)
    except BadTime as problem:
        raise click.ClickException(str(problem)) from None
    effect = f"All clocks will be paused from {begins:%Y-%m-%d %H:%M} until {end:%Y-%m-%d %H:%M} UTC."
    confirm(f"{effect} This cannot be cancelled.", yes=yes)
    with acting(config) as act:
        start = max(begins, act.action.now)
        announcements.plan(act, start, end, audit.reason(why), mail=mail)
    click.echo(f"All clocks are paused from {start:%Y-%m-%d %H:%M} until {end:%Y-%m-%d %H:%M} UTC.")


@click.command()
@click.argument("why")
@YES
@click.pass_obj
def standings(config: Path | None, why: str, yes: bool) -> None:
    """Email all players the state of their games.

    Players who owe moves get a report of each of these games, with the board. The emails begin with the reason
    WHY, for example after a restore.
    """
    with looking(config) as session:
        audit.reason(why)
        count = len(announcements.concerned(session))
    confirm(f"{count} players will get emails that begin with:\n{why.strip()}", yes=yes)
    with closing(open_configured(config)) as services:
        # The emails contain deadlines: first give back the time for which Nabu did not run.
        downtime.beat_and_credit(Work(services.engine, services.sealer, services.now, services.settings))
    with acting(config) as act:
        count = tell(act.action, audit.reason(why))
        act.note("emailed all players the state of their games", why=why)
    click.echo(f"{count} players get an email within minutes if Nabu is running.")
