"""Services in which players are notified: one object contains everything that Nabu and its documents need."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from rules.sentences import listed
from server.errors import BadRequest
from server.game.notifications.notification import NotificationMessage, SendingOutcome

Deliver = Callable[[], SendingOutcome]
_HTTPS = 443
_LONGEST = 500


def prepare_with_apprise(message: NotificationMessage) -> Deliver:
    """Import Apprise, and return a function that sends the message with it."""
    from apprise import Apprise  # only the process that sends needs it

    # `add` would accept several addresses, of any service, in one text; this accepts only one.
    service = Apprise.instantiate(message.address)

    def deliver() -> SendingOutcome:
        taken = service is not None and service.notify(title=message.title, body=message.body)
        return SendingOutcome.TAKEN if taken else SendingOutcome.LATER

    return deliver


@dataclass(frozen=True)
class NotificationService:
    """A service in which players are notified.

    `forms` are patterns of its addresses, each of one channel. They must allow nothing after a “?”, as options
    may name files or other servers, and no comma, which may separate addresses. An address with one of the
    `beginnings` belongs to this service. If players choose the host, only these `ports` are allowed. `prepare`
    loads what it needs to send a message, and returns a function that sends it. If either of them raises an
    exception, Nabu tries again later.
    """

    name: str
    example: str
    where: str
    """Where people find their address, or another form of it; "" if the example is enough."""
    forms: tuple[str, ...]
    beginnings: tuple[str, ...]
    ports: tuple[int, ...] = ()
    prepare: Callable[[NotificationMessage], Deliver] = prepare_with_apprise

    @property
    def help(self) -> str:
        """Return an example of an address, with a hint where to find one."""
        return f"{self.example} ({self.where})" if self.where else self.example

    @property
    def reached_at(self) -> tuple[int, ...]:
        return self.ports or (_HTTPS,)

    def check(self, address: str) -> None:
        """Raise BadRequest, with an example, for an invalid address."""
        if len(address) > _LONGEST or not any(re.fullmatch(form, address, re.ASCII) for form in self.forms):
            raise BadRequest(
                f"This is not a valid address for {self.name}. Example: "
                f"{self.help}. Leave out any “?” and everything after it."
            )
        if self.ports and _port(address) not in (None, *self.ports):
            ports = listed(self.ports, "or")
            raise BadRequest(
                f"Nabu notifies {self.name} at port {ports} only. Leave the port out, or use one of these."
            )


def _port(address: str) -> int | None:
    try:
        return urlsplit(address).port
    except ValueError:
        return 0
