"""The computers that may send for a domain: mechanisms, errors, limits, macros."""

from __future__ import annotations

import time

import pytest

from mail.authentication.checks.spf import check
from tests.support.mail.dns_zone import Zone, zone

NAMES = (
    "example.org A 192.0.2.1",
    "example.org AAAA 2001:db8::1",
    "example.org MX mx.example.org",
    "mx.example.org A 192.0.2.2",
    "other.example A 192.0.2.3",
    "10.2.0.192.in-addr.arpa PTR host.example.org",
    "10.2.0.192.in-addr.arpa PTR liar.example.com",
    "host.example.org A 192.0.2.10",
    "liar.example.com A 192.0.2.99",
    "pass.example TXT v=spf1 ip4:192.0.2.0/24 -all",
    "soft.example TXT v=spf1 ~all",
    "broken.example TXT v=spf1 nonsense",
    "192.0.2.1.ann.example.org A 127.0.0.2",
)


def asked(record: str, peer: str = "192.0.2.1", mail_from: str = "ann@example.org") -> str:
    names = zone(*NAMES, f"example.org TXT {record}")
    names.silent.add("silent.example")
    return check(peer, mail_from, "host.example.org", names)


@pytest.mark.parametrize(
    ("terms", "peer", "outcome"),
    [
        ("", "192.0.2.1", "neutral"),
        ("-all", "192.0.2.1", "fail"),
        ("~all", "192.0.2.1", "softfail"),
        ("?all", "192.0.2.1", "neutral"),
        ("+ALL", "192.0.2.1", "pass"),
        ("ip4:192.0.2.1 -all", "192.0.2.1", "pass"),
        ("ip4:192.0.2.0/30 -all", "192.0.2.3", "pass"),
        ("ip4:192.0.2.0/30 -all", "192.0.2.4", "fail"),
        ("ip4:192.0.2.1 -all", "::ffff:192.0.2.1", "pass"),
        ("ip4:0.0.0.0/0 -all", "2001:db8::1", "fail"),
        ("ip6:2001:db8::/32 -all", "2001:db8::9", "pass"),
        ("ip6:::/0 -all", "192.0.2.1", "fail"),
        ("a -all", "192.0.2.1", "pass"),
        ("a -all", "2001:db8::1", "pass"),
        ("a/24 -all", "192.0.2.77", "pass"),
        ("a//64 -all", "2001:db8::77", "pass"),
        ("a/32//32 -all", "2001:db8:77::", "pass"),
        ("a:other.example -all", "192.0.2.3", "pass"),
        ("a:nothing.example -all", "192.0.2.3", "fail"),
        ("mx -all", "192.0.2.2", "pass"),
        ("mx/24 -all", "192.0.2.77", "pass"),
        ("mx:other.example -all", "192.0.2.2", "fail"),
        ("ptr -all", "192.0.2.10", "pass"),
        ("ptr:example.com -all", "192.0.2.10", "fail"),
        ("ptr:silent.example ?all", "2001:db8::1", "neutral"),
        ("exists:other.example -all", "198.51.100.1", "pass"),
        ("exists:%{i}.%{l}.%{o} -all", "192.0.2.1", "pass"),
        ("exists:%{i}.%{l}.%{o} -all", "192.0.2.2", "fail"),
        ("include:pass.example -all", "192.0.2.1", "pass"),
        ("include:pass.example ~all", "198.51.100.1", "softfail"),
        ("include:soft.example -all", "192.0.2.1", "fail"),
        ("redirect=soft.example", "192.0.2.1", "softfail"),
        ("redirect=soft.example -all", "192.0.2.1", "fail"),
        ("exp=%{s}.example unknown=%{d} -all", "192.0.2.1", "fail"),
        ("a:silent.example -all", "192.0.2.1", "temperror"),
        ("include:silent.example -all", "192.0.2.1", "temperror"),
        ("a -all", "somewhere", "none"),
    ],
)
def test_spf_result_for_an_address(terms: str, peer: str, outcome: str) -> None:
    assert asked(f"v=spf1 {terms}".rstrip(), peer) == outcome


@pytest.mark.parametrize(
    "terms",
    [
        "nonsense", "all:x.org", "all/8", "-", "ip4", "ip4:", "ip4:192.0.2", "ip4:192.0.2.0/33",
        "ip4:192.0.2.0/08", "ip4:192.0.2.1//24", "ip6:192.0.2.1", "ip6:2001:db8::/129", "a:", "a/33", "a//129",
        "a:x", "a:x.org.1", "a:x.-", "a:%{x}.org", "a:%x.org", "include", "include:", "include:x.org/24",
        "exists", "exists:x", "redirect=a.org redirect=b.org", "exp=a.org exp=b.org", "redirect=", "redirect=x",
        "+redirect=a.org", "x=%", "-all\ta", "include:broken.example", "include:nothing.example",
        "x" * 5000,
    ],
)  # fmt: skip
def test_invalid_spf_record_gives_permerror(terms: str) -> None:
    assert asked(f"v=spf1 {terms} +all") == "permerror"


@pytest.mark.parametrize("record", ["v=spf10 +all", "v=spf1\t+all", "spf2.0/pra +all", "x v=spf1 +all"])
def test_text_without_the_right_beginning_is_no_spf_record(record: str) -> None:
    assert asked(record) == "none"


@pytest.mark.parametrize("domain", ["nothing.example", "localhost", "two..dots", "x" * 64 + ".org"])
def test_domain_without_spf_record_gives_none(domain: str) -> None:
    assert asked("v=spf1 -all", mail_from=f"ann@{domain}") == "none"


def test_redirect_to_a_domain_without_record_gives_permerror() -> None:
    assert asked("v=spf1 redirect=nothing.example") == "permerror"


def test_two_spf_records_give_permerror() -> None:
    names = zone("example.org TXT v=spf1 +all", "example.org TXT v=spf1 -all")
    assert check("192.0.2.1", "ann@example.org", "", names) == "permerror"


def test_null_path_is_checked_with_the_helo_name() -> None:
    names = zone("host.example.org TXT v=spf1 a -all", "host.example.org A 192.0.2.10")
    assert check("192.0.2.10", "", "host.example.org", names) == "pass"
    assert check("192.0.2.10", "", "", names) == "none"


@pytest.mark.parametrize(
    ("macro", "name"),
    [
        ("%{s}", "ann.b@mail.example.org"),
        ("%{l}.%{o}", "ann.b.mail.example.org"),
        ("%{d2}", "example.org"),
        ("%{dr}", "org.example.mail"),
        ("%{l1r-}", "ann.b"),
        ("%{d9999999999}", "mail.example.org"),
        ("%{i}.%{v}", "192.0.2.1.in-addr"),
        ("%{ir}.%{v}._spf.%{d2}", "1.2.0.192.in-addr._spf.example.org"),
        ("%{h}", "host.example.org"),
        ("%{p}", "unknown"),
        ("%{S}", "ann.b%40mail.example.org"),
        ("a%%b%_c%-d.org", "a%b c%20d.org"),
        ("x%{l}." * 40 + "example.org", "b." + "xann.b." * 34 + "example.org"),
    ],
)  # fmt: skip
def test_macros_expand_as_in_the_standard(macro: str, name: str) -> None:
    names = zone(f"mail.example.org TXT v=spf1 exists:{macro if '.' in macro else macro + '.%{d1}'} -all")
    names.add(name if "." in macro else name + ".org", "A", "127.0.0.2")
    assert check("192.0.2.1", "ann.b@mail.example.org", "host.example.org", names) == "pass"


LONGEST = "x." * 126 + "y"
"""A name with the maximum of 253 characters."""


@pytest.mark.parametrize(("domain", "outcome"), [(LONGEST, "pass"), ("x" + LONGEST, "none")])
def test_domain_may_have_the_maximum_length_of_names(domain: str, outcome: str) -> None:
    names = zone(f"{domain} TXT v=spf1 +all")
    assert check("192.0.2.1", f"ann@{domain}", "", names) == outcome


@pytest.mark.parametrize(
    ("written", "meant"),
    [(LONGEST, LONGEST), ("x" + LONGEST, LONGEST[2:]), ("xx." + LONGEST, LONGEST), ("x." + LONGEST, LONGEST)],
)
def test_too_long_expanded_name_loses_its_first_labels(written: str, meant: str) -> None:
    names = zone(f"example.org TXT v=spf1 exists:{written} -all", f"{meant} A 127.0.0.2")
    assert check("192.0.2.1", "ann@example.org", "", names) == "pass"


def test_macros_expand_ipv6_addresses_in_full() -> None:
    names = zone("example.org TXT v=spf1 exists:%{i}.%{v}.example.org -all")
    names.add("2.0.0.1.0.d.b.8." + "0." * 23 + "1.ip6.example.org", "A", "127.0.0.2")
    assert check("2001:db8::1", "ann@example.org", "", names) == "pass"


@pytest.mark.parametrize(
    ("terms", "outcome"),
    [
        (" ".join(f"a:mx{number}.example" for number in range(10)), "pass"),
        (" ".join(f"a:mx{number}.example" for number in range(11)), "permerror"),
        ("a:none1.example a:none2.example", "pass"),
        ("a:none1.example a:none2.example a:none3.example", "permerror"),
        ("mx:many.example", "permerror"),
        ("include:example.org", "permerror"),
        ("redirect=example.org", "permerror"),
    ],
)
def test_spf_record_with_too_many_lookups_gives_permerror(terms: str, outcome: str) -> None:
    names = zone(f"example.org TXT v=spf1 {terms} {'' if 'redirect' in terms else '+all'}")
    for number in range(11):
        names.add(f"mx{number}.example", "A", "198.51.100.1")
        names.add("many.example", "MX", f"mx{number}.example")
    assert check("192.0.2.1", "ann@example.org", "", names) == outcome


@pytest.mark.parametrize(
    ("term", "outcome", "asked"),
    [
        ("a:" + "x" * 3900, "permerror", 1),
        ("a:" + "%{d}" * 900 + ".org", "fail", 2),
        ("a" + "/1" * 1900, "permerror", 1),
        ("exists:" + "%{l.+-}" * 500 + ".org", "fail", 1),
    ],
)
def test_crafted_records_are_not_slow(term: str, outcome: str, asked: int) -> None:
    names = Zone({("x." * 120 + "org", "TXT"): [f"v=spf1 {term} -all"]})
    begin = time.process_time()
    assert check("192.0.2.1", "a.b-c+" * 1000 + "@" + "x." * 120 + "org", "", names) == outcome
    assert time.process_time() - begin < 5
    assert len(names.asked) == asked
