"""Lookups by a real name server on a local socket, and the limits on the lookups of one email."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mail.authentication.checks.dns import Budget, LookupFailed, Resolver
from tests.support.machine.name_server import name_server
from tests.support.mail.dns_zone import Zone, zone

ZONE = {
    ("example.org.", "TXT"): ['"v=spf1 " "-all"'],
    ("example.org.", "MX"): ["20 b.example.org.", "10 a.example.org."],
    ("example.org.", "A"): ["192.0.2.1"],
    ("example.org.", "AAAA"): ["2001:db8::1"],
    ("1.2.0.192.in-addr.arpa.", "PTR"): ["mail.example.org."],
}


def resolver(port: int, seconds: float = 60) -> Resolver:
    """Return a resolver that asks this name server with this timeout."""
    return Resolver(timeout=seconds, nameservers=["127.0.0.1"], port=port)


@pytest.fixture
def port() -> Iterator[int]:
    with name_server(ZONE) as (port, _):
        yield port


@pytest.mark.parametrize(
    ("name", "kind", "records"),
    [
        ("example.org", "TXT", ["v=spf1 -all"]),
        ("example.org.", "MX", ["a.example.org", "b.example.org"]),
        ("EXAMPLE.org", "A", ["192.0.2.1"]),
        ("example.org", "AAAA", ["2001:db8::1"]),
        ("1.2.0.192.in-addr.arpa", "PTR", ["mail.example.org"]),
        ("example.org", "PTR", []),
        ("nothing.example.org", "TXT", []),
        ("two..dots", "TXT", []),
        ("x" * 64 + ".org", "TXT", []),
        ("x." * 130 + "org", "TXT", []),
        ("", "TXT", []),
    ],
)
def test_lookup_returns_texts_or_an_empty_list_for_missing_records(
    port: int, name: str, kind: str, records: list[str]
) -> None:
    assert list(resolver(port)(name, kind)) == records


@pytest.mark.parametrize(("name", "seconds"), [("silent.example.org", 0.2), ("broken.example.org", 60)])
def test_lookup_failure_differs_from_no_record(port: int, name: str, seconds: float) -> None:
    with pytest.raises(LookupFailed):
        resolver(port, seconds)(name, "TXT")


def test_resolver_caches_answers() -> None:
    with name_server(ZONE) as (port, asked):
        asking = resolver(port)
        assert [list(asking("example.org", "A")) for _ in range(3)] == [["192.0.2.1"]] * 3
    assert asked == ["example.org."]


def test_budget_asks_each_question_once_and_limits_the_number_of_lookups() -> None:
    names = zone("a.org TXT x", "b.org TXT y")
    names.silent.add("c.org")
    budget = Budget(names, lookups=3)
    for _ in range(2):
        assert list(budget("a.org", "TXT")) == list(budget("A.org.", "TXT")) == ["x"]
        with pytest.raises(LookupFailed):
            budget("c.org", "TXT")
        assert list(budget("b.org", "TXT")) == ["y"]
        with pytest.raises(LookupFailed, match="too many"):
            budget("d.org", "TXT")
    assert [name for name, _ in names.asked] == ["a.org", "c.org", "b.org"]


def test_budget_asks_nothing_after_its_time() -> None:
    names = Zone()
    with pytest.raises(LookupFailed, match="too many"):
        Budget(names, seconds=-1)("a.org", "TXT")
    assert names.asked == []
