"""A real name server on a socket, with the records that a test gives it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import dns.zone

Records = Mapping[tuple[str, str], Sequence[str]]
"""What stands there, by name (with its final dot, in lower case) and kind."""


def written(zone: str) -> dict[tuple[str, str], list[str]]:
    """The records of a zone file whose names are all whole."""
    read = dns.zone.from_text(f"$TTL 300\n{zone}", origin=".", relativize=False, check_origin=False)
    return {
        (str(name).lower(), dns.rdatatype.to_text(records.rdtype)): [record.to_text() for record in records]
        for name, records in read.iterate_rdatasets()
    }


@contextmanager
def name_server(records: Records, address: str = "127.0.0.1", port: int = 0) -> Iterator[tuple[int, list[str]]]:
    """A name server with these records, as they are at any time: its port, and the questions that it got.

    It does not answer about names that begin with "silent.", and fails for those with "broken.".
    """
    asked: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((address, port))

        def serve() -> None:
            while True:
                data, client = server.recvfrom(4096)
                if not data:
                    return
                query = dns.message.from_wire(data)
                asked.append(query.question[0].name.to_text())
                if (reply := _answer(query, records)) is not None:
                    server.sendto(reply.to_wire(), client)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1], asked
        finally:
            server.sendto(b"", server.getsockname())
            thread.join()


def _answer(query: dns.message.Message, records: Records) -> dns.message.Message | None:
    question = query.question[0]
    name, game_type = question.name.to_text().lower(), dns.rdatatype.to_text(question.rdtype)
    if name.startswith("silent."):
        return None
    reply = dns.message.make_response(query)
    reply.flags |= dns.flags.RA
    if name.startswith("broken."):
        reply.set_rcode(dns.rcode.SERVFAIL)
    elif (name, game_type) in records:
        reply.answer.append(dns.rrset.from_text_list(name, 300, "IN", game_type, records[name, game_type]))
    elif not any(known == name for known, _ in records):
        reply.set_rcode(dns.rcode.NXDOMAIN)
    return reply
