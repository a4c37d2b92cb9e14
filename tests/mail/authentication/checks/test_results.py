"""The results that mail servers write, in the forms in use, and attempts of senders to hide them."""

from __future__ import annotations

import contextlib
import time

import pytest

from mail.authentication.checks.results import Found, Results, parse, server_of
from mail.authentication.checks.wire import Malformed

# The forms of Gmail, OpenDKIM with OpenDMARC, Rspamd, Fastmail and Amazon.
FORMS = {
    "mx.google.com; dkim=pass header.i=@example.org header.s=s1 header.b=abc/Def=;\t"
    "spf=pass (google.com: domain of ann@example.org designates 192.0.2.1 as permitted sender)"
    " smtp.mailfrom=ann@example.org;\tdmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.org": (
        "mx.google.com", ["dkim", "spf", "dmarc"], "example.org",
    ),
    "mx.example.net; dmarc=pass (p=none dis=none) header.from=example.org": (
        "mx.example.net", ["dmarc"], "example.org",
    ),
    "mail.example.net; dkim=pass header.d=example.org header.s=s1 header.b=\"a/b+c\"; arc=none; "
    "dmarc=pass (policy=reject) header.from=example.org; spf=pass (mail.example.net: domain of "
    '"ann@example.org" designates 192.0.2.1 as permitted sender) smtp.mailfrom="ann@example.org"': (
        "mail.example.net", ["dkim", "arc", "dmarc", "spf"], "example.org",
    ),
    "mx1.messagingengine.com; x-csa=none; x-ptr=pass smtp.helo=a.example.org policy.ptr=a.org; "
    "dmarc=pass policy.published-domain-policy=none (p=none,has-list-id=yes) header.from=Example.org;": (
        "mx1.messagingengine.com", ["x-csa", "x-ptr", "dmarc"], "example.org",
    ),
    "amazonses.com; spf=pass (spfCheck: domain of example.org (nested (twice)) ok) client-ip=192.0.2.1; "
    "dmarc=pass header.from=example.org": ("amazonses.com", ["spf", "dmarc"], "example.org"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=[server for server, _, _ in FORMS.values()])
def test_parse_reads_the_forms_in_use(form: str) -> None:
    server, methods, author = FORMS[form]
    read = parse(form)
    assert (read.server, [result.method for result in read.found]) == (server, methods)
    assert [(dmarc.value, dmarc.properties["header.from"]) for dmarc in read.of("dmarc")] == [("pass", author)]
    assert server_of(form) == server


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("mx; none", []),
        ("mx; =pass; dkim; dkim=; = ; a b=c", []),
        (
            'mx; dkim/1 = pass reason="good; (really)"',
            [Found("dkim", "pass", {"reason": "good; (really)"})],
        ),
        ("mx; dkim=pass header.d=a.org header.d=b.org", [Found("dkim", "pass", {"header.d": "a.org"})]),
        ("mx; (dkim=pass) spf=FAIL", [Found("spf", "fail")]),
        ("mx; (a \\) dkim=pass; ) spf=fail", [Found("spf", "fail")]),
        ('mx; (") dkim=pass; ( ") spf=fail', [Found("dkim", "pass"), Found("spf", "fail")]),
        (
            'mx; spf=pass smtp.mailfrom="a; dkim=pass"',
            [Found("spf", "pass", {"smtp.mailfrom": "a; dkim=pass"})],
        ),
    ],
)
def test_parse_reads_words_comments_and_quotes(value: str, found: list[Found]) -> None:
    assert parse(value) == Results("mx", tuple(found))


@pytest.mark.parametrize(
    ("value", "server"), [("", ""), ("mx", "mx"), (' "MX.example" 1; none', "mx.example"), ("; dkim=pass", "")]
)
def test_server_name_comes_first(value: str, server: str) -> None:
    assert server_of(value) == parse(value).server == server


@pytest.mark.parametrize(
    "value",
    [
        "mx; spf=pass (domain of a(b@example.org ok) smtp.mailfrom=a; dmarc=fail",
        "mx; spf=pass (domain of a)b@example.org ok) smtp.mailfrom=a; dmarc=fail",
        'mx; spf=pass smtp.mailfrom=a"b@example.org; dmarc=fail',
        "mx; dkim=pass" + " " * 20_000,
    ],
)
def test_field_that_hides_the_rest_is_malformed(value: str) -> None:
    assert server_of(value) == "mx"
    with pytest.raises(Malformed):
        parse(value)


@pytest.mark.parametrize("sign", ["(", ")", '"', '"\\', "=", ";", "a=", "a=b ", "\\", "( )"])
def test_no_field_value_takes_long(sign: str) -> None:
    begin = time.process_time()
    with contextlib.suppress(Malformed):
        parse("mx; " + sign * (19_000 // len(sign)))
    assert time.process_time() - begin < 3
