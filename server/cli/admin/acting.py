"""The transactions of the administrator's commands, their questions, and texts that several of them print."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import click
from sqlmodel import Session

from server.admin.audit import AdminAction
from server.admin.outgoing_mail import OutgoingView
from server.cli.run import open_configured
from server.errors import BadRequest
from server.store.db import reading, writing
from server.store.outbox import ActionContext

YES = click.option("--yes", is_flag=True, help="Do not ask whether to continue, for scripts.")
RESUMED = "{name} gets emails again, starting with one that shows the state of their games."


@contextmanager
def looking(config: Path | None) -> Iterator[Session]:
    """Read the configured database; print refusals in one line."""
    with closing(open_configured(config)) as services, reading(services.engine) as session, _reporting():
        yield session


@contextmanager
def acting(config: Path | None, *, any_history: bool = False) -> Iterator[AdminAction]:
    """Change the configured database in one transaction; print refusals in one line.

    With `any_history` it may be older than the one that this machine has used before.
    """
    with (
        closing(open_configured(config, any_history=any_history)) as services,
        writing(services.engine) as session,
        _reporting(),
    ):
        yield AdminAction(ActionContext(session, services.sealer, services.now()))


def confirm(effect: str, *, yes: bool) -> None:
    """Print what a command will do that cannot be undone, and ask whether to continue, unless `yes`."""
    click.echo(effect)
    if not yes:
        click.confirm("Continue?", abort=True)


@contextmanager
def _reporting() -> Iterator[None]:
    try:
        yield
    except BadRequest as problem:
        raise click.ClickException(str(problem)) from None


def utc(moment: datetime) -> str:
    """Return a time to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def counted(count: int, what: str) -> str:
    """Return "1 email" or "2 emails" for `what` "email"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def letter_in_words(mail: OutgoingView) -> str:
    """Return the letter of an email in words, with the number of its game."""
    return mail.letter if mail.game is None else f"{mail.letter} of game {mail.game}"
