"""The domains of one organisation and its policy, found by the tree walk of RFC 9989."""

from __future__ import annotations

import pytest

from mail.authentication.checks.dmarc import Policy, aligned, organisational_domain, policy
from mail.authentication.checks.dns import LookupFailed
from tests.support.mail.dns_zone import Zone, zone

ORDINARY = ("_dmarc.example.org TXT v=DMARC1; p=reject",)
DEEP = (*ORDINARY, "_dmarc.a.example.org TXT v=DMARC1; p=none; adkim=s")
APART = (*ORDINARY, "_dmarc.a.example.org TXT v=DMARC1; p=none; psd=n")
REGISTRY = ("_dmarc.bank TXT v=DMARC1; p=reject; psd=y",)
EIGHT = "_dmarc.d.e.f.g.example.org TXT v=DMARC1; p=none"


@pytest.mark.parametrize(
    ("records", "domain", "organisation"),
    [
        ((), "mail.example.org", "mail.example.org"),
        (ORDINARY, "example.org", "example.org"),
        (ORDINARY, "mail.example.org", "example.org"),
        (ORDINARY, "example.com", "example.com"),
        (DEEP, "mail.a.example.org", "example.org"),
        (APART, "mail.a.example.org", "a.example.org"),
        (APART, "mail.example.org", "example.org"),
        (REGISTRY, "mail.example.bank", "example.bank"),
        (REGISTRY, "bank", "bank"),
        ((*REGISTRY, "_dmarc.example.bank TXT v=DMARC1; p=none"), "mail.example.bank", "example.bank"),
    ],
)
def test_organisational_domain_comes_from_published_policies(
    records: tuple[str, ...], domain: str, organisation: str
) -> None:
    assert organisational_domain(domain, zone(*records)) == organisation


def test_tree_walk_has_at_most_eight_steps() -> None:
    names = zone(EIGHT)
    organisational_domain("1.2.3.4.5.a.b.c.d.e.f.g.example.org", names)
    assert [name.removeprefix("_dmarc.") for name, _ in names.asked] == [
        "1.2.3.4.5.a.b.c.d.e.f.g.example.org", "c.d.e.f.g.example.org", "d.e.f.g.example.org",
        "e.f.g.example.org", "f.g.example.org", "g.example.org", "example.org", "org",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("records", "domain", "found"),
    [
        ((), "example.org", None),
        (ORDINARY, "example.org", Policy(False, False)),
        (ORDINARY, "mail.example.org", Policy(False, False)),
        (DEEP, "a.example.org", Policy(True, False)),
        (DEEP, "b.example.org", Policy(False, False)),
        (REGISTRY, "example.bank", Policy(False, False)),
        (("_dmarc.example.org TXT v=DMARC1;p=none;ADKIM=S; aspf = s ;;x",), "example.org", Policy(True, True)),
        (("_dmarc.example.org TXT v = DMARC1",), "example.org", Policy(False, False)),
        (("_dmarc.example.org TXT p=reject; v=DMARC1",), "example.org", None),
        (("_dmarc.example.org TXT v=DMARC12; p=reject",), "example.org", None),
        (ORDINARY * 2, "example.org", None),
        (("_dmarc.example.org TXT v=spf1", *ORDINARY), "example.org", Policy(False, False)),
    ],
)
def test_policy_is_that_of_the_domain_or_its_organisation(
    records: tuple[str, ...], domain: str, found: Policy | None
) -> None:
    assert policy(domain, zone(*records)) == found


@pytest.mark.parametrize(
    ("records", "found", "strict", "near"),
    [
        (ORDINARY, ["example.org"], True, True),
        (ORDINARY, ["example.com", "mail.example.org"], False, True),
        (ORDINARY, ["mail.example.org"], True, False),
        (ORDINARY, ["example.com"], False, False),
        (ORDINARY, ["org"], False, False),
        (ORDINARY, ["notexample.org"], False, False),
        (ORDINARY, [], False, False),
        ((), ["mail.example.org"], False, False),
        (REGISTRY, ["other.bank"], False, False),
    ],
)
def test_alignment_of_domains(records: tuple[str, ...], found: list[str], strict: bool, near: bool) -> None:
    domain = "mine.bank" if records == REGISTRY else "example.org"
    assert aligned(domain, found, strict, zone(*records)) is near


def test_lookup_failure_differs_from_no_policy() -> None:
    names = Zone(silent={"_dmarc.org"})
    with pytest.raises(LookupFailed):
        policy("example.org", names)
