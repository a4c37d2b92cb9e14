"""Tells people things in channels and browsers, in a process of its own that reaches public hosts only.

Addresses are what others write, and Apprise goes wherever they lead: it resolves names, follows redirections.
So the last moment decides: an audit hook of the interpreter sees each connection as it is made, with the IP
address that it goes to. It allows public addresses only, but none of this server, and few ports. The hook
cannot be removed.
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
from server.game.notifications.services.registry import SERVICES, ports_of_services
from server.game.notifications.services.service import Deliver, prepare_with_apprise

_PATIENCE = 45
"""Seconds for all messages of a batch, which are told at the same time: one that takes long costs no other."""
_STARTING = 30
"""Seconds in which the process starts, on a busy machine."""
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
"""All of our environment that the process is given: no secret, and no proxy, behind which nothing is seen."""
_NOT_PUBLIC = (
    # These stand for IPv4 addresses of any sort.
    *(
        IPv6Network("::/96"),
        IPv6Network("64:ff9b::/96"),
        IPv6Network("64:ff9b:1::/48"),
        IPv6Network("2002::/16"),
    ),
    # Through this, whatever relay was near led to such addresses.
    IPv4Network("192.88.99.0/24"),
)


@dataclass(frozen=True)
class Messenger:
    """Tells messages; `also` are pairs of IP address and port that it reaches though they are not public.

    With `anywhere` it reaches everything: for addresses that the administrator names. `own` are names of this
    server, whose addresses it never reaches.
    """

    also: Collection[tuple[str, int]] = ()
    anywhere: bool = False
    own: Collection[str] = ()
    patience: float = _PATIENCE

    def __call__(self, messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
        """Tell all; what became of each."""
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
            said = subprocess.run(  # noqa: S603 - a module of ours
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
    """What of our environment other programs are given: no setting of ours, and no key."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody in the world reaches, and no way into a network of ours."""
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
    """Return whether a service can be at an IP address and port; `own` are addresses of this server."""
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
    """Return the IP addresses of hosts; none of those whose names are unknown just now."""
    found: set[str] = set()
    for name in names:
        with suppress(OSError, UnicodeError):
            found |= {_plain(str(place[0])) for *_, place in socket.getaddrinfo(name, None)}
    return found


def guard(also: Collection[tuple[str, int]], own: Collection[str] = ()) -> None:
    """From now on this process connects to where it is allowed, and `also`, only."""

    def look(event: str, given: tuple[Any, ...]) -> None:
        if event not in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            return
        place = given[1]
        if not isinstance(place, tuple) or (place[:2] not in also and not is_allowed(place[0], place[1], own)):
            raise PermissionError("notifications go to public hosts and well-known ports only")

    sys.addaudithook(look)


def _plain(address: str) -> str:
    """Return an IP address as it is compared: without a zone, and as IPv4 where it stands for such."""
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
    """Tell the messages in the order on standard input, and write each outcome as soon as it is known."""
    order = json.load(sys.stdin)
    if not order["anywhere"]:
        guard({(host, port) for host, port in order["also"]}, addresses_of(order["own"]))
    messages = [
        Push(**each) if "endpoint" in each else NotificationMessage(**each) for each in order["messages"]
    ]
    # Time counts from here, when everything is loaded.
    prepared = [_prepared(message) for message in messages]
    threads = ThreadPoolExecutor(len(prepared))
    numbers = {threads.submit(tell): number for number, tell in enumerate(prepared)}
    waiting = set(numbers.values())
    with suppress(TimeoutError):
        for told in as_completed(numbers, order["patience"]):
            # Whatever went wrong: it must not cost the others.
            _print(numbers[told], SendingOutcome.LATER if told.exception() else told.result())
            waiting.remove(numbers[told])
    for number in waiting:
        _print(number, SendingOutcome.SLOW)
    os._exit(0)  # whatever the threads still wait for


def _print(number: int, outcome: SendingOutcome) -> None:
    sys.stdout.write(json.dumps([number, outcome]) + "\n")
    sys.stdout.flush()


def _prepared(message: NotificationMessage | Push) -> Deliver:
    """Return what tells a message."""
    if isinstance(message, Push):
        from server.outbound.notifications.web_push import push  # only this process needs it

        return partial(push, message)
    service = SERVICES.get(message.service)
    try:
        return prepare_with_apprise(message) if service is None else service.prepare(message)
    except Exception:  # whatever goes wrong must not cost the others
        return lambda: SendingOutcome.LATER


if __name__ == "__main__":
    main()
