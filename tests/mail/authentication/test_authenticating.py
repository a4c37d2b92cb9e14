"""The verdict on the sender: trusted servers, Nabu's own checks, and forgeries."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any, get_args

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mail.authentication import authenticating
from mail.authentication.authenticating import Trust, Verdict
from mail.authentication.signed_parts import Share
from mail.reading.message import read
from tests.support.examples import examples
from tests.support.mail import keys
from tests.support.mail.dns_zone import Zone, zone

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
PLAY = "play+k7@games.example"
ALL = frozenset(get_args(Share))
PASS = "mx.games.example; dmarc=pass header.from=example.org"
OURS = Trust(servers=frozenset({"mx.games.example"}))
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: play+k7@games.example\r\nSubject: move\r\n"
    b"Message-ID: <1@example.org>\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\nMIME-Version: 1.0\r\n\r\nc4\r\n"
)


def authenticate(raw: bytes, **given: Any) -> Verdict:
    """Return the verdict on an email, for the author that it names."""
    return authenticating.authenticate(raw, read(raw).author, **given)


def signed(domain: str = "example.org", mail: bytes = MAIL) -> bytes:
    return keys.signer(domain).sign(mail, NOW)


def told(*values: str, mail: bytes = MAIL) -> bytes:
    """Return the email with such fields on top of it."""
    return b"".join(f"Authentication-Results: {value}\r\n".encode() for value in values) + mail


def names(*policies: str) -> Zone:
    """Return a DNS in which example.org has the given DMARC record, and several domains have keys."""
    domains = ("example.org", "mail.example.org", "example.com", "list.example", "relay.example")
    made = zone(*(f"s1._domainkey.{domain} TXT {keys.signer(domain).record}" for domain in domains))
    made.add("example.org", "TXT", "v=spf1 ip4:192.0.2.1 -all")
    for policy in policies:
        made.add("_dmarc.example.org", "TXT", policy)
    return made


def checked(mail: bytes, lookup: Zone, mail_from: str) -> Verdict:
    """Return the verdict on an email that came from outside."""
    return authenticate(mail, now=NOW, lookup=lookup, mail_from=mail_from, peer="192.0.2.1", recipient=PLAY)


RELAXED = "v=DMARC1; p=reject"
STRICT = "v=DMARC1; p=reject; adkim=s; aspf=s"


class TestWhatOurServerSays:
    """Without a lookup, only the results of a trusted server count."""

    @pytest.mark.parametrize(
        ("said", "dmarc"),
        [
            ("dmarc=pass header.from=example.org", "pass"),
            ("dmarc=pass (p=none) header.from=EXAMPLE.org", "pass"),
            ("dmarc=pass header.from=xn--bcher-kva.example", "fail"),
            ("dmarc=pass", "none"),
            ("dmarc=fail", "fail"),
            ("dmarc=none", "none"),
            ("dmarc=none header.from=example.com", "fail"),
            ("dmarc=none; spf=fail smtp.mailfrom=ann@example.org", "fail"),
            ("dmarc=none; spf=hardfail smtp.mailfrom=example.org", "fail"),
            ("dmarc=none; spf=softfail smtp.mailfrom=ann@example.org", "none"),
            ("dmarc=none; spf=fail smtp.mailfrom=ann@example.com", "none"),
            ("dmarc=none; spf=fail smtp.mailfrom=example.org; dkim=pass header.d=example.org", "none"),
            ("dmarc=fail header.from=example.org", "fail"),
            ("dmarc=none header.from=example.org", "none"),
            ("dmarc=permerror header.from=example.org", "none"),
            ("dmarc=bestguesspass header.from=example.org", "none"),
            ("dmarc=temperror header.from=example.org", "temperror"),
            ("dmarc=pass header.from=example.com", "fail"),
            ("dmarc=pass header.from=example.org; dmarc=fail header.from=example.org", "fail"),
            ("dmarc=pass header.from=example.org; dmarc=pass header.from=example.com", "fail"),
            ("spf=pass (a(b) smtp.mailfrom=a; dmarc=fail", "fail"),
            ("dkim=pass header.d=example.org", "none"),
        ],
    )
    def test_result_of_a_trusted_server_is_the_verdict(self, said: str, dmarc: str) -> None:
        assert authenticate(told(f"mx.games.example; {said}"), now=NOW, trust=OURS).dmarc == dmarc

    def test_trusted_pass_proves_the_sender_and_the_text(self) -> None:
        said = (
            "MX.games.example; dkim=pass header.d=example.org; dkim=fail header.d=bad.example; "
            "dkim=pass header.i=@list.example; spf=pass smtp.mailfrom=b@bounces.example; "
            "dmarc=pass header.from=example.org"
        )
        assert authenticate(told(said), now=NOW, trust=OURS, recipient=PLAY) == Verdict(
            "pass", "example.org", "none", "mx.games.example says so.", frozenset({"sender", "text"})
        )

    @pytest.mark.parametrize(
        "values",
        [
            ["mx.example.net; dmarc=pass"],
            ["mx.games.example.evil.example; dmarc=pass"],
            ["(mx.games.example) x; dmarc=pass"],
            ["; dmarc=pass"],
        ],
    )
    def test_results_of_unknown_servers_do_not_count(self, values: list[str]) -> None:
        verdict = authenticate(told(*values), now=NOW, trust=OURS)
        assert (verdict.dmarc, verdict.why) == ("none", "No trusted server has checked it.")

    def test_no_results_count_without_trusted_servers(self) -> None:
        assert authenticate(told("mx.games.example; dmarc=pass"), now=NOW).dmarc == "none"

    def test_only_the_topmost_results_count(self) -> None:
        ours = "mx.games.example; dmarc="
        forged = told("mx.example.net; dmarc=fail", ours + "fail", ours + "pass")
        assert authenticate(forged, now=NOW, trust=OURS).dmarc == "fail"

    @pytest.mark.parametrize("name", [b"To", b"Subject", b"Date", b"MIME-Version", b"Content-Type"])
    def test_results_below_the_senders_own_fields_do_not_count(self, name: bytes) -> None:
        mail = MAIL.replace(name, b"X-" + name)
        forged = name + b": x\r\n" + told("mx.games.example; dmarc=pass", mail=mail)
        assert authenticate(forged, now=NOW, trust=OURS).dmarc == "none"

    def test_fields_added_above_by_the_senders_servers_do_not_matter(self) -> None:
        above = b"Return-Path: <ann@example.org>\r\nReceived: from a\r\n by b\r\nX-Spam: no\r\n"
        assert authenticate(above + told(PASS), now=NOW, trust=OURS).dmarc == "pass"

    def test_trusted_result_does_not_prove_a_partly_signed_email(self) -> None:
        field = dkimpy.sign(MAIL, b"s1", b"example.org", keys.rsa_key(), length=True)
        forged = told(PASS, mail=field + MAIL + b"resign\r\n")
        assert authenticate(forged, now=NOW, trust=OURS).dmarc == "fail"
        assert authenticate(forged, now=NOW, trust=OURS, lookup=names(RELAXED)).dmarc == "fail"
        honest = told(PASS, mail=field + signed())
        assert authenticate(honest, now=NOW, trust=OURS, lookup=names(RELAXED)).dmarc == "pass"


class TestWhatIsCheckedHere:
    @pytest.mark.parametrize(
        ("mail", "policy", "dmarc"),
        [
            (signed(), RELAXED, "pass"),
            (signed(), STRICT, "pass"),
            (signed("mail.example.org"), RELAXED, "pass"),
            (signed("mail.example.org"), STRICT, "fail"),
            (signed("example.com"), RELAXED, "fail"),
            (signed("example.com", signed()), STRICT, "pass"),
            (signed().replace(b"c4", b"c5"), RELAXED, "fail"),
            (MAIL, RELAXED, "fail"),
            (MAIL, "v=DMARC1; p=none", "fail"),
            (MAIL, "v=spf1 -all", "none"),
            (signed(), "v=spf1 -all", "none"),
        ],
    )
    def test_domain_in_from_must_have_signed(self, mail: bytes, policy: str, dmarc: str) -> None:
        assert authenticate(mail, now=NOW, lookup=names(policy)).dmarc == dmarc

    @pytest.mark.parametrize(
        ("mail_from", "peer", "policy", "dmarc"),
        [
            ("ann@example.org", "192.0.2.1", STRICT, "pass"),
            ("Ann@EXAMPLE.org", "192.0.2.1", STRICT, "pass"),
            ("ann@example.org", "192.0.2.2", STRICT, "fail"),
            ("ann@example.org", "", STRICT, "fail"),
            ("", "192.0.2.1", STRICT, "fail"),
            ("b@mail.example.org", "192.0.2.1", RELAXED, "pass"),
            ("b@mail.example.org", "192.0.2.1", STRICT, "fail"),
            ("b@example.com", "192.0.2.1", RELAXED, "fail"),
        ],
    )
    def test_domain_in_from_may_authorize_the_sending_server_instead(
        self, mail_from: str, peer: str, policy: str, dmarc: str
    ) -> None:
        lookup = names(policy)
        lookup.add("mail.example.org", "TXT", "v=spf1 ip4:192.0.2.1 -all")
        lookup.add("example.com", "TXT", "v=spf1 ip4:192.0.2.1 -all")
        verdict = authenticate(MAIL, now=NOW, lookup=lookup, mail_from=mail_from, peer=peer)
        assert verdict.dmarc == dmarc

    def test_verdict_describes_the_results(self) -> None:
        assert checked(signed(), names(RELAXED), "ann@example.org") == Verdict(
            "pass", "example.org", "none", "example.org has signed it.", ALL
        )
        assert checked(MAIL, names(RELAXED), "ann@example.org") == Verdict(
            "pass", "example.org", "none", "example.org may send from where it came.", ALL
        )

    @pytest.mark.parametrize(
        "silent", ["_dmarc.example.org", "s1._domainkey.example.org", "_dmarc.mail.example.org"]
    )
    def test_temporary_lookup_failure_gives_temperror(self, silent: str) -> None:
        lookup = names(RELAXED)
        lookup.silent.add(silent)
        mail = signed("mail.example.org") if silent == "_dmarc.mail.example.org" else signed()
        assert authenticate(mail, now=NOW, lookup=lookup).dmarc == "temperror"

    def test_sending_server_is_not_refused_when_lookups_fail(self) -> None:
        lookup = names(RELAXED)
        lookup.silent.add("example.org")
        assert checked(MAIL, lookup, "ann@example.org").dmarc == "temperror"

    def test_unanswered_lookups_of_a_forgers_domain_give_no_temperror(self) -> None:
        lookup = names(RELAXED)
        lookup.silent |= {"s1._domainkey.example.com", "_dmarc.example.com", "bounces.example.com"}
        assert checked(signed("example.com"), lookup, "b@bounces.example.com").dmarc == "fail"
        lookup.silent = {"s1._domainkey.notexample.org", "notexample.org"}
        assert checked(signed("notexample.org"), lookup, "b@notexample.org").dmarc == "fail"

    def test_one_valid_signature_is_enough_if_another_cannot_be_checked(self) -> None:
        lookup = names(RELAXED)
        lookup.silent.add("s1._domainkey.example.com")
        assert authenticate(signed("example.com", signed()), now=NOW, lookup=lookup).dmarc == "pass"

    def test_trusted_server_may_report_signatures_without_a_policy_result(self) -> None:
        stated = told("mx.games.example; dkim=pass header.d=mail.example.org")
        for policy, dmarc in ((RELAXED, "pass"), (STRICT, "fail")):
            assert authenticate(stated, now=NOW, trust=OURS, lookup=names(policy)).dmarc == dmarc

    def test_email_without_trusted_results_is_checked_by_nabu(self) -> None:
        for mail, dmarc in ((MAIL, "fail"), (signed(), "pass")):
            forged = told("mx.example.net; dmarc=pass", mail=mail)
            assert authenticate(forged, now=NOW, trust=OURS, lookup=names(RELAXED)).dmarc == dmarc

    def test_domains_are_compared_in_ascii_form(self) -> None:
        mail = MAIL.replace(b"ann@example.org", "ann@bücher.example".encode())
        lookup = zone(f"s1._domainkey.xn--bcher-kva.example TXT {keys.signer('x').record}")
        lookup.add("_dmarc.xn--bcher-kva.example", "TXT", STRICT)
        verdict = authenticate(signed("xn--bcher-kva.example", mail), now=NOW, lookup=lookup)
        assert (verdict.dmarc, verdict.domain) == ("pass", "xn--bcher-kva.example")
        for domain in ("bücher.example", "xn--bcher-kva.example"):
            stated = told(f"mx.games.example; dmarc=pass header.from={domain}", mail=mail)
            assert authenticate(stated, now=NOW, trust=OURS).dmarc == "pass"


class TestWithoutAPolicy:
    """The domain publishes no DMARC policy; its SPF and DKIM count nevertheless."""

    @pytest.mark.parametrize(
        ("mail", "peer", "mail_from", "dmarc", "vouched"),
        [
            (MAIL, "192.0.2.1", "ann@example.org", "none", True),
            (MAIL, "192.0.2.1", "bounces@example.com", "none", False),
            (MAIL, "192.0.2.2", "ann@example.org", "fail", False),
            (MAIL, "192.0.2.2", "mallory@example.com", "fail", False),
            (MAIL, "192.0.2.2", "", "fail", False),
            (signed(), "192.0.2.2", "ann@example.org", "none", True),
            (signed("mail.example.org"), "192.0.2.2", "ann@example.org", "fail", False),
            (signed("example.com"), "192.0.2.2", "mallory@example.com", "fail", False),
            (MAIL, "", "ann@example.org", "none", False),
            (signed(), "", "ann@example.org", "none", True),
        ],
    )
    def test_spf_fail_without_a_signature_is_denied(
        self, mail: bytes, peer: str, mail_from: str, dmarc: str, vouched: bool
    ) -> None:
        lookup = names()
        lookup.add("example.com", "TXT", "v=spf1 ip4:192.0.2.2 -all")
        verdict = authenticate(mail, now=NOW, lookup=lookup, mail_from=mail_from, peer=peer, recipient=PLAY)
        assert (verdict.dmarc, verdict.vouched) == (dmarc, vouched)

    @pytest.mark.parametrize("record", ["v=spf1 ~all", "v=spf1 ?all", "v=spf1", "v=spf1 -all x:", "x"])
    def test_weaker_spf_results_are_not_denied(self, record: str) -> None:
        lookup = zone(f"example.org TXT {record}")
        verdict = authenticate(MAIL, now=NOW, lookup=lookup, mail_from="ann@example.org", peer="192.0.2.1")
        assert (verdict.dmarc, verdict.vouched) == ("none", False)

    def test_failed_lookups_give_temperror_only_if_a_signature_may_be_valid(self) -> None:
        lookup = names()
        lookup.silent.add("example.org")
        assert checked(MAIL, lookup, "ann@example.org").dmarc == "none"
        lookup.silent = {"s1._domainkey.example.org"}
        verdict = authenticate(signed(), now=NOW, lookup=lookup, mail_from="ann@example.org", peer="192.0.2.2")
        assert verdict.dmarc == "temperror"


class TestForgedSenders:
    @pytest.mark.parametrize(
        "author",
        [
            b"From: ann@example.org, eve@example.com",
            b"From: ann@example.org\r\nFrom: ann@example.org",
            b"From:\r\nFrom: ann@example.org",
            b"From: ann@example.org <eve@example.com> <ann@example.org>",
            b"From: eve@example.com\rFrom: ann@example.org",
            b"From: \"ann@example.org",
            b"From: nobody",
            b"From: ann@",
            b"From:",
            b"Sender: ann@example.org",
            b"",
        ],
    )  # fmt: skip
    def test_email_without_one_certain_author_never_passes(self, author: bytes) -> None:
        mail = told("mx.games.example; dmarc=pass", mail=MAIL.replace(b"From: Ann <ann@example.org>", author))
        verdict = authenticate(mail, now=NOW, trust=OURS, lookup=names(RELAXED))
        assert (verdict.dmarc, verdict.domain) == ("fail", "")

    def test_signature_of_another_domain_does_not_pass(self) -> None:
        lookup = names(RELAXED)
        for domain in ("example.com", "notexample.org", "org", "example.org.example.com"):
            lookup.add(f"s1._domainkey.{domain}", "TXT", keys.signer(domain).record)
            lookup.add(f"_dmarc.{domain}", "TXT", "v=DMARC1; p=none; psd=y")
            assert authenticate(signed(domain), now=NOW, lookup=lookup).dmarc == "fail", domain


def sealed(mail: bytes, domain: str, found: str) -> bytes:
    field = f"Authentication-Results: {domain}; {found}\r\n".encode()
    name = domain.encode()
    return b"".join(dkimpy.arc_sign(field + mail, b"s1", name, keys.rsa_key(), name)) + mail


class TestMailThatWasPassedOn:
    """A list added a footer, which breaks the signature, and sealed its own results."""

    TRUST = Trust(servers=frozenset({"mx.games.example"}), sealers=frozenset({"list.example", "relay.example"}))
    PASSED = sealed(signed() + b"-- \r\nlist\r\n", "list.example", "dmarc=pass header.from=example.org")

    def test_arc_counts_as_the_first_servers_result(self) -> None:
        verdict = authenticate(self.PASSED, now=NOW, trust=self.TRUST, lookup=names(RELAXED))
        assert (verdict.dmarc, verdict.arc) == ("pass", "pass")
        assert verdict.why == "list.example passed it on and says so."

    def test_arc_counts_even_if_the_trusted_server_reports_a_fail(self) -> None:
        mail = told("mx.games.example; dmarc=fail header.from=example.org", mail=self.PASSED)
        assert authenticate(mail, now=NOW, trust=self.TRUST, lookup=names(RELAXED)).dmarc == "pass"

    def test_arc_of_an_untrusted_list_does_not_count(self) -> None:
        for trust in (Trust(), Trust(sealers=frozenset({"relay.example"}))):
            assert authenticate(self.PASSED, now=NOW, trust=trust, lookup=names(RELAXED)).dmarc == "fail"

    @pytest.mark.parametrize(
        ("found", "arc"),
        [
            ("dmarc=fail header.from=example.org", "pass"),
            ("dmarc=pass header.from=example.com", "pass"),
            ("dkim=pass header.d=example.org", "pass"),
            ('dmarc=pass reason="', "fail"),
        ],
    )
    def test_arc_does_not_count_without_a_dmarc_pass_for_the_author(self, found: str, arc: str) -> None:
        if '"' in found:
            mail = self.PASSED.replace(b"dmarc=pass", b"dmarc=pass (")
        else:
            mail = sealed(MAIL, "list.example", found)
        verdict = authenticate(mail, now=NOW, trust=self.TRUST, lookup=names(RELAXED))
        assert (verdict.dmarc, verdict.arc) == ("fail", arc)

    def test_arc_does_not_count_after_a_later_change(self) -> None:
        mail = self.PASSED.replace(b"c4", b"c5")
        verdict = authenticate(mail, now=NOW, trust=self.TRUST, lookup=names(RELAXED))
        assert (verdict.dmarc, verdict.arc) == ("fail", "fail")

    def test_arc_does_not_count_for_a_partly_signed_email(self) -> None:
        field = dkimpy.sign(MAIL, b"s1", b"example.org", keys.rsa_key(), length=True)
        mail = sealed(field + MAIL + b"resign\r\n", "list.example", "dmarc=pass header.from=example.org")
        assert authenticate(mail, now=NOW, trust=self.TRUST, lookup=names(RELAXED)).dmarc == "fail"

    def test_arc_is_not_checked_if_the_email_passes_or_has_no_policy(self) -> None:
        for mail in (sealed(signed(), "list.example", "dmarc=pass"), self.PASSED):
            policy = RELAXED if mail != self.PASSED else "nothing"
            verdict = authenticate(mail, now=NOW, trust=self.TRUST, lookup=names(policy))
            assert verdict.arc == "none"


@examples(300)
@given(
    st.lists(
        st.sampled_from(
            [
                b"From: Ann <ann@example.org>", b"From: eve@example.com", b"From", b":", b" ", b"\t", b"\r",
                b"\n", b"\r\n", b"\r\n\r\n", b"<ann@example.org>", b'"', b"(", b",", b"X: y", b"\xff", b"\0",
                b"=?utf-8?q?a?=", b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h=from; bh=x; b=x",
                b"Authentication-Results: ", b"mx.games.example; dmarc=pass",
            ]
        ),
        max_size=25,
    ).map(b"".join)
)  # fmt: skip
@example(b"From: Ann <ann@example.org>")
@example(b"From: eve@example.com")
@example(b"From: Ann <ann@example.org>\r\nFrom: eve@example.com")
def test_pass_is_always_about_the_author_that_the_reader_sees(head: bytes) -> None:
    mail = told(PASS, mail=head + b"\r\n\r\nc4\r\n")
    verdict = authenticate(mail, now=NOW, trust=OURS, lookup=names(RELAXED))
    seen = read(mail).sender.rpartition("@")[2]
    assert (verdict.dmarc, verdict.domain) == ("pass" if seen == "example.org" else "fail", seen)


@examples(300)
@given(st.binary(max_size=2000), st.sampled_from([signed(), TestMailThatWasPassedOn.PASSED]))
def test_authenticate_never_raises(noise: bytes, mail: bytes) -> None:
    place = len(noise) * 7 % len(mail)
    trust = Trust(frozenset({"mx.games.example"}), frozenset({"list.example"}))
    for raw in (noise, mail[:place] + noise + mail[place:], mail[:place] + noise + mail[place + len(noise) :]):
        assert authenticate(raw, now=NOW, trust=trust, lookup=names(RELAXED)).dmarc != "temperror"


HOSTILE = {
    "an endless body": signed() + b"x" * 12_000_000,
    "blanks": signed()[:-2] + b" " * 5_000_000 + b"x\r\n",
    "empty lines": signed() + b"\r\n" * 2_000_000 + b"x\r\n",
    "many signatures": b"DKIM-Signature: v=1\r\n" * 5000 + signed(),
    "signatures of a long mail": signed()[: -len(MAIL)] * 8 + MAIL + b" \t\r\n" * 1_500_000 + b"x",
    "many senders": b"From: a@b.org\r\n" * 8000 + MAIL,
    "a long sender": MAIL.replace(b"Ann <", b'"a\\' * 40_000 + b"<"),
    "many results": b"Authentication-Results: x; dmarc=pass\r\n" * 3000 + MAIL,
    "a long result": b"Authentication-Results: mx.games.example; " + b"(" * 100_000 + b"\r\n" + MAIL,
    "many sets": b"ARC-Seal: i=1; cv=none\r\n" * 4000 + MAIL,
    "a long header": b"X: " + b"y" * 10_000_000 + b"\r\n" + MAIL,
    "many fields": b"a:\r\n" * 30_000 + MAIL,
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_crafted_emails_are_not_slow(raw: bytes) -> None:
    lookup = names(RELAXED)
    begin = time.process_time()
    authenticate(raw, now=NOW, trust=Trust(OURS.servers, frozenset({"list.example"})), lookup=lookup)
    assert time.process_time() - begin < 15
    assert len(lookup.asked) <= 60
