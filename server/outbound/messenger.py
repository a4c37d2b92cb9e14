"""Tells people things in channels of other services, in a process of its own that reaches public hosts only.

Addresses are what others write, and Apprise goes wherever they lead: it resolves names, follows redirections.
So the last moment decides: an audit hook of the interpreter sees each connection as it is made, with the IP
address that it goes to, and refuses all but public ones. It cannot be taken out again.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

_PATIENCE = 120
"""Seconds for all messages of a batch."""
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("2002::/16"))
"""IPv6 addresses that stand for IPv4 addresses of any sort."""


@dataclass(frozen=True)
class Message:
    """What is told in the channel at `address`."""

    address: str
    title: str
    body: str


Send = Callable[[Sequence[Message]], list[bool]]
"""Tells messages; whether each was taken."""


@dataclass(frozen=True)
class Messenger:
    """Tells messages; `also` are pairs of IP address and port that it reaches though they are not public."""

    also: Collection[tuple[str, int]] = ()

    def __call__(self, messages: Sequence[Message]) -> list[bool]:
        """Tell all; whether each was taken."""
        order = json.dumps({"also": list(self.also), "messages": [asdict(message) for message in messages]})
        # No proxy is inherited: what is behind one could not be seen.
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        try:
            done = subprocess.run(  # noqa: S603 - a module of ours
                [sys.executable, "-m", __name__],
                input=order,
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                check=True,
                env=environment,
            )
        except (subprocess.SubprocessError, OSError):
            return [False] * len(messages)
        return [bool(taken) for taken in json.loads(done.stdout)]


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody in the world reaches, and no way into a network of ours."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if any(found in network for network in _TRANSLATED):
            return False
    return found.is_global and not found.is_multicast


def guard(also: Collection[tuple[str, int]]) -> None:
    """From now on this process connects to public hosts, and `also`, only."""

    def look(event: str, given: tuple[Any, ...]) -> None:
        if event not in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            return
        place = given[1]
        if not isinstance(place, tuple) or ((place[0], place[1]) not in also and not is_public(place[0])):
            raise PermissionError("only public hosts are told anything")

    sys.addaudithook(look)


def _main() -> None:
    order = json.load(sys.stdin)
    guard({(host, port) for host, port in order["also"]})
    from apprise import Apprise  # it knows a hundred services, and only this process needs any

    taken = []
    for message in order["messages"]:
        channel = Apprise()
        taken.append(
            channel.add(message["address"])
            and bool(channel.notify(title=message["title"], body=message["body"]))
        )
    json.dump(taken, sys.stdout)


if __name__ == "__main__":
    _main()
