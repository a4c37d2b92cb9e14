"""Sending of notifications, in a separate process that can connect to public hosts only.

Players enter the addresses, and Apprise resolves names and follows redirects. So an audit hook of the
interpreter checks the IP address of each connection when it is made. It allows only public addresses outside of
this server, and few ports. An audit hook cannot be removed.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

from server.game.notifications.notification import NotificationMessage, Push, SendingOutcome
from server.game.notifications.services import SERVICES, Deliver, ports_of_services, prepare_with_apprise

_PATIENCE = 45
"""Timeout of a batch in seconds. Its messages are sent in parallel, so a slow one does not delay the others."""
_STARTING = 30
"""Seconds that the process needs to start on a busy machine."""
_NOWHERE = "192.0.2.1"
"""An address that no computer has (RFC 5737)."""
_INHERITED = (
    "PATH",
    "PYTHONPATH",
    "PYTHONSAFEPATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
)
"""The environment variables of the process: no secrets, and no proxy, because it would hide the real hosts."""
_NOT_PUBLIC = (
    # These contain IPv4 addresses of any kind.
    *(
        IPv6Network("::/96"),
        IPv6Network("64:ff9b::/96"),
        IPv6Network("64:ff9b:1::/48"),
        IPv6Network("2002::/16"),
    ),
    # 6to4 relays, which lead to such addresses.
    IPv4Network("192.88.99.0/24"),
)


@dataclass(frozen=True)
class Messenger:
    """Sends notifications in a separate process, and returns their outcomes.

    `also` are allowed pairs of IP address and port that are not public. With `anywhere`, for addresses that the
    administrator configures, every host is allowed. `own` are host names of this server, whose addresses are
    forbidden.
    """

    also: Collection[tuple[str, int]] = ()
    anywhere: bool = False
    own: Collection[str] = ()
    patience: float = _PATIENCE

    def __call__(self, messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
        """Send all messages and return their outcomes."""
        order = json.dumps(
            {
                "also": list(self.also),
                "anywhere": self.anywhere,
                "own": list(self.own),
                "patience": self.patience,
                "messages": [asdict(message) for message in messages],
            }
        )
        said: bytes | None = None
        try:
            said = subprocess.run(  # noqa: S603 - a module of Nabu
                [sys.executable, "-m", __name__],
                input=order.encode(),
                capture_output=True,
                timeout=_STARTING + self.patience,
                check=False,
                env=inherited(),
            ).stdout
        except subprocess.TimeoutExpired as late:
            said = late.stdout
        except OSError:
            pass
        outcomes = [SendingOutcome.LATER] * len(messages)
        for line in (said or b"").splitlines():
            number, outcome = json.loads(line)
            outcomes[number] = SendingOutcome(outcome)
        return outcomes


def inherited() -> dict[str, str]:
    """Return the environment for other programs, without Nabu's settings and keys."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


def is_public(address: str) -> bool:
    """Return whether an IP address is public and leads into no private network."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found.is_site_local:
            return False
    if any(found in network for network in _NOT_PUBLIC):
        return False
    return found.is_global and not found.is_multicast


def is_allowed(address: str, port: int, own: Collection[str] = ()) -> bool:
    """Return whether notifications may go to an IP address and port. `own` are this server's addresses."""
    return (
        port in ports_of_services()
        and is_public(address)
        and _plain(address) not in own
        and not is_here(address)
    )


def is_here(address: str) -> bool:
    """Return whether an IP address is one of this computer."""
    return _can_bind(_plain(address)) and not _can_bind(_NOWHERE)


def addresses_of(names: Collection[str]) -> set[str]:
    """Return the IP addresses of hosts, without those that cannot be resolved."""
    found: set[str] = set()
    for name in names:
        with suppress(OSError, UnicodeError):
            found |= {_plain(str(place[0])) for *_, place in socket.getaddrinfo(name, None)}
    return found


def guard(also: Collection[tuple[str, int]], own: Collection[str] = ()) -> None:
    """Restrict all later connections of this process to allowed addresses and those in `also`."""

    def look(event: str, given: tuple[Any, ...]) -> None:
        if event not in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            return
        place = given[1]
        if not isinstance(place, tuple) or (place[:2] not in also and not is_allowed(place[0], place[1], own)):
            raise PermissionError("notifications go to public hosts and well-known ports only")

    sys.addaudithook(look)


def _plain(address: str) -> str:
    """Return an IP address in a form to compare: without a zone, and as IPv4 if it is a mapped IPv4 address."""
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    return str((found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found)


def _can_bind(address: str) -> bool:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def main() -> None:
    """Send the notifications from standard input, and print each outcome as soon as it is known."""
    order = json.load(sys.stdin)
    if not order["anywhere"]:
        guard({(host, port) for host, port in order["also"]}, addresses_of(order["own"]))
    messages = [
        Push(**each) if "endpoint" in each else NotificationMessage(**each) for each in order["messages"]
    ]
    # The timeout starts here, after all modules are loaded.
    prepared = [_prepared(message) for message in messages]
    threads = ThreadPoolExecutor(len(prepared))
    numbers = {threads.submit(tell): number for number, tell in enumerate(prepared)}
    waiting = set(numbers.values())
    with suppress(TimeoutError):
        for told in as_completed(numbers, order["patience"]):
            # An error must not affect the other messages.
            _print(numbers[told], SendingOutcome.LATER if told.exception() else told.result())
            waiting.remove(numbers[told])
    for number in waiting:
        _print(number, SendingOutcome.SLOW)
    os._exit(0)  # do not wait for the threads


def _print(number: int, outcome: SendingOutcome) -> None:
    sys.stdout.write(json.dumps([number, outcome]) + "\n")
    sys.stdout.flush()


def _prepared(message: NotificationMessage | Push) -> Deliver:
    """Return the function that sends a message."""
    if isinstance(message, Push):
        from server.outbound.notifications.web_push import push  # only this process needs it

        return partial(push, message)
    service = SERVICES.get(message.service)
    try:
        return prepare_with_apprise(message) if service is None else service.prepare(message)
    except Exception:  # an error must not affect the other messages
        return lambda: SendingOutcome.LATER


if __name__ == "__main__":
    main()
