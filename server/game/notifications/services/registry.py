"""All services in which players are notified, by name: a new one is a module, and a line here."""

from rules.sentences import listed
from server.errors import BadRequest
from server.game.notifications.services.discord import DISCORD
from server.game.notifications.services.matrix import MATRIX
from server.game.notifications.services.ntfy import NTFY
from server.game.notifications.services.service import NotificationService
from server.game.notifications.services.slack import SLACK
from server.game.notifications.services.telegram import TELEGRAM

SERVICES: dict[str, NotificationService] = {
    service.name: service
    for service in (
        DISCORD,
        SLACK,
        MATRIX,
        TELEGRAM,
        NTFY,
    )
}


def service_names() -> str:
    """Return the names of all services, for a sentence."""
    return listed(SERVICES, "or")


def how_to_write_addresses() -> str:
    """Return a sentence about the addresses of channels, with an example for each service."""
    examples = "; ".join(f"{each.name}: {each.help}" for each in SERVICES.values())
    return f"Write the address of a channel as in these examples, or: off. {examples}."


def service_at(address: str) -> NotificationService:
    """Return the service at an address. Raises BadRequest, with examples of addresses."""
    for service in SERVICES.values():
        if address.startswith(service.beginnings):
            service.check(address)
            return service
    raise BadRequest(how_to_write_addresses())


def ports_of_services() -> frozenset[int]:
    return frozenset(port for service in SERVICES.values() for port in service.reached_at)
