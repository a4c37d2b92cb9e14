"""Addresses of channels: those of five services, as these show them, or as Apprise writes them."""

import re
from urllib.parse import urlsplit

from server.errors import BadRequest

# Nothing after a "?": there stand options, and some of them name files, or servers beyond the host.
# No comma: it may separate several addresses.
_FORMS = {
    "Discord": (
        r"https://(discord|discordapp)\.com/api/webhooks/[0-9]+/[\w-]+/?",
        r"discord://([\w-]+@)?[0-9]+/[\w-]+/?",
    ),
    "Slack": (
        r"https://hooks\.slack\.com/services(/[A-Za-z0-9]+){3}/?",
        r"slack://([\w-]+@)?[A-Za-z0-9]+(/[A-Za-z0-9]+){2}(/[+#@]?[\w-]{1,32})*/?",
        r"slack://([\w-]+@)?xox[abp]-[A-Za-z0-9-]+(/[+#@]?[\w-]{1,32})+/?",
    ),
    "Matrix": (r"matrixs?://([^\s/?,]+@)?[\w.:\[\]-]+(/([#!]|%23|%21)?[\w.:=%-]+)+/?",),
    "Telegram": (r"tgram://(bot)?[0-9]+:[\w-]+/(-?[0-9]{1,32}|@?[A-Za-z_-][\w-]+)(:[0-9]+)?/?",),
    "ntfy": (
        r"https://ntfy\.sh/[\w-]{1,64}/?",
        r"ntfys?://([^\s/?,]+@)?[\w.:\[\]-]+/[\w-]{1,64}/?",
        r"ntfys?://[\w-]{1,64}/?",
    ),
}
"""By service, what is taken: one channel, room or topic of it."""
_BEGINNINGS = {
    "https://discord": "Discord",
    "discord:": "Discord",
    "https://hooks.slack": "Slack",
    "slack:": "Slack",
    "matrix:": "Matrix",
    "matrixs:": "Matrix",
    "tgram:": "Telegram",
    "https://ntfy": "ntfy",
    "ntfy:": "ntfy",
    "ntfys:": "ntfy",
}
"""Which service somebody means, by how what they wrote begins."""
_EXAMPLES = {
    "Discord": "https://discord.com/api/webhooks/ID/TOKEN (in Discord: Edit Channel, Integrations, Webhooks)",
    "Slack": "https://hooks.slack.com/services/T…/B…/… (in Slack: Incoming Webhooks)",
    "Matrix": "matrixs://USER:PASSWORD@HOST/#ROOM",
    "Telegram": "tgram://BOT_TOKEN/CHAT",
    "ntfy": "https://ntfy.sh/TOPIC, or for another server ntfys://HOST/TOPIC",
}
_PORTS = {"ntfy": (80, 443), "Matrix": (80, 443, 8448)}
"""Where players write the host: at these ports such a service is expected, and nothing else of anybody's."""
PORTS = frozenset(port for ports in _PORTS.values() for port in ports)
"""All ports at which services are reached."""
_LONGEST = 500
_HOW = (
    "Write the address of a Discord or Slack webhook, of a topic of ntfy.sh, or another one as Apprise "
    "writes it: discord://…, slack://…, matrixs://…, tgram://…, ntfys://…, without a “?” and anything after "
    "it; or: off."
)


def service_at(address: str) -> str:
    """What the service at an address is called. Raises BadRequest, which says what an address looks like."""
    if len(address) <= _LONGEST:
        for service, forms in _FORMS.items():
            if any(re.fullmatch(form, address, re.ASCII) for form in forms):
                _check_port(service, address)
                return service
    meant = (service for beginning, service in _BEGINNINGS.items() if address.startswith(beginning))
    service = next(meant, "")
    if not service:
        raise BadRequest(_HOW)
    raise BadRequest(
        f"Nothing can be sent to that address. One of {service} looks like this: {_EXAMPLES[service]}. "
        "Leave out any “?” and what follows it."
    )


def _check_port(service: str, address: str) -> None:
    """Raise BadRequest for a port at which the service is not expected."""
    allowed = _PORTS.get(service)
    if allowed is None:
        return
    try:
        port = urlsplit(address).port
    except ValueError:
        port = 0
    if port is not None and port not in allowed:
        *others, last = allowed
        ports = f"{', '.join(map(str, others))} or {last}"
        raise BadRequest(
            f"Nabu notifies {service} at port {ports} only. Leave the port out, or use one of these."
        )
