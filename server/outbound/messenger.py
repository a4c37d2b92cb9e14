"""Tells people things in channels and browsers, in a process of its own that reaches public hosts only.

Addresses are what others write, and Apprise goes wherever they lead: it resolves names, follows redirections.
So the last moment decides: an audit hook of the interpreter sees each connection as it is made, with the IP
address that it goes to, and refuses all but public ones. It cannot be taken out again.
"""

import json
import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

from server.outbound.messages import Message, Outcome, Push

_PATIENCE = 45
"""Seconds for all messages of a batch, which are told at the same time: one that takes long costs no other."""
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

    With `anywhere` it reaches everything: for addresses that the operator names.
    """

    also: Collection[tuple[str, int]] = ()
    anywhere: bool = False
    patience: float = _PATIENCE

    def __call__(self, messages: Sequence[Message | Push]) -> list[Outcome]:
        """Tell all; what became of each."""
        order = json.dumps(
            {
                "also": list(self.also),
                "anywhere": self.anywhere,
                "messages": [asdict(message) for message in messages],
            }
        )
        said: bytes | None = None
        try:
            said = subprocess.run(  # noqa: S603 - a module of ours
                [sys.executable, "-m", __name__],
                input=order.encode(),
                capture_output=True,
                timeout=self.patience,
                check=False,
                env=inherited(),
            ).stdout
        except subprocess.TimeoutExpired as late:
            said = late.stdout
        except OSError:
            pass
        outcomes = [Outcome.LATER] * len(messages)
        for line in (said or b"").splitlines():
            number, outcome = json.loads(line)
            outcomes[number] = Outcome(outcome)
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
    """Tell the messages in the order on standard input, and write each outcome as soon as it is known."""
    order = json.load(sys.stdin)
    if not order["anywhere"]:
        guard({(host, port) for host, port in order["also"]})
    messages = [Push(**each) if "endpoint" in each else Message(**each) for each in order["messages"]]
    with ThreadPoolExecutor(len(messages)) as threads:
        numbers = {threads.submit(_tell, message): number for number, message in enumerate(messages)}
        for told in as_completed(numbers):
            # Whatever went wrong: it must not cost the others.
            outcome = Outcome.LATER if told.exception() else told.result()
            sys.stdout.write(json.dumps([numbers[told], outcome]) + "\n")
            sys.stdout.flush()


def _tell(message: Message | Push) -> Outcome:
    # What does it is loaded here: only this process needs any of it.
    if isinstance(message, Push):
        from server.outbound.pushing import push

        return push(message)
    from apprise import Apprise

    # `add` would take a text for several addresses, of any service; this takes it for one.
    service = Apprise.instantiate(message.address)
    taken = service is not None and service.notify(title=message.title, body=message.body)
    return Outcome.TAKEN if taken else Outcome.LATER


if __name__ == "__main__":
    _main()
