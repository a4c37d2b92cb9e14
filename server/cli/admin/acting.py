"""What operators do on the command line, by the same functions as on the pages."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlmodel import Session

from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.processes.services import Services
from server.store.outbox import ActionContext


def admin_action(services: Services, session: Session) -> AdminAction:
    """What is done on the command line in this transaction."""
    return AdminAction(ActionContext(session, services.sealer, services.now()))


@contextmanager
def reporting_refusals() -> Iterator[None]:
    """Report what is refused in a line."""
    try:
        yield
    except BadRequest as problem:
        raise click.ClickException(str(problem)) from None
