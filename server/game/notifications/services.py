"""Services in which players are notified: one object contains everything that Nabu and its documents need."""

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
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
    where: str = ""
    """Where people find their address, or another form of it; "" if the example is enough."""
    _: KW_ONLY
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


SERVICES: dict[str, NotificationService] = {
    service.name: service
    for service in (
        NotificationService(
            "Discord",
            "https://discord.com/api/webhooks/ID/TOKEN",
            "in Discord: Edit Channel, Integrations, Webhooks",
            forms=(
                r"https://(discord|discordapp)\.com/api/webhooks/[0-9]+/[\w-]+/?",
                r"discord://([\w-]+@)?[0-9]+/[\w-]+/?",
            ),
            beginnings=("https://discord", "discord:"),
        ),
        NotificationService(
            "Slack",
            "https://hooks.slack.com/services/T…/B…/…",
            "in Slack: Incoming Webhooks",
            forms=(
                r"https://hooks\.slack\.com/services(/[A-Za-z0-9]+){3}/?",
                r"slack://([\w-]+@)?[A-Za-z0-9]+(/[A-Za-z0-9]+){2}(/[+#@]?[\w-]{1,32})*/?",
                r"slack://([\w-]+@)?xox[abp]-[A-Za-z0-9-]+(/[+#@]?[\w-]{1,32})+/?",
            ),
            beginnings=("https://hooks.slack", "slack:"),
        ),
        NotificationService(
            "Matrix",
            "matrixs://USER:PASSWORD@HOST/#ROOM",
            forms=(r"matrixs?://([^\s/?,]+@)?[\w.:\[\]-]+(/([#!]|%23|%21)?[\w.:=%-]+)+/?",),
            beginnings=("matrix:", "matrixs:"),
            ports=(80, 443, 8448),
        ),
        NotificationService(
            "Telegram",
            "tgram://BOT_TOKEN/CHAT",
            forms=(r"tgram://(bot)?[0-9]+:[\w-]+/(-?[0-9]{1,32}|@?[A-Za-z_-][\w-]+)(:[0-9]+)?/?",),
            beginnings=("tgram:",),
        ),
        NotificationService(
            "ntfy",
            "https://ntfy.sh/TOPIC",
            "on another server: ntfys://HOST/TOPIC",
            forms=(
                r"https://ntfy\.sh/[\w-]{1,64}/?",
                r"ntfys?://([^\s/?,]+@)?[\w.:\[\]-]+/[\w-]{1,64}/?",
                r"ntfys?://[\w-]{1,64}/?",
            ),
            beginnings=("https://ntfy", "ntfy:", "ntfys:"),
            ports=(80, 443),
        ),
    )
}
"""All services in which players are notified, by name."""


def service_names() -> str:
    """Return the names of all services, for a sentence."""
    return listed(SERVICES, "or")


def how_to_write_addresses() -> str:
    """Return a sentence about the addresses of channels, with an example for each service."""
    examples = "; ".join(f"{name}: {example}" for name, example in address_examples())
    return f"Write the address of a channel as in these examples, or: off. {examples}."


def address_examples() -> tuple[tuple[str, str], ...]:
    """Return the name of each service, and an example of an address there."""
    return tuple((each.name, each.help) for each in SERVICES.values())


def service_at(address: str) -> NotificationService:
    """Return the service at an address. Raises BadRequest, with examples of addresses."""
    for service in SERVICES.values():
        if address.startswith(service.beginnings):
            service.check(address)
            return service
    raise BadRequest(how_to_write_addresses())


def ports_of_services() -> frozenset[int]:
    return frozenset(port for service in SERVICES.values() for port in service.reached_at)
