"""From fields of all sorts: the checked author must be the one who acts, and the one that others read.

`python -m tests.support.mail.from_fields 1000000` generates so many. Mallory sends them all, from the one
computer that may send for evil.example, half of them with a result of a trusted mail server that confirms this.
Whatever is in From, none of them may act as a person at victim.example, whose domain forbids it; and if an
email has an author, other readers must find the same one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import getaddresses
from random import Random

import click

from mail.authentication.authenticating import Trust, Verdict, authenticate
from mail.fields import split
from mail.reading.author import Author, author_of
from tests.support.mail.dns_zone import zone

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
PEER = "192.0.2.66"
TRUST = Trust(servers=frozenset({"mx.games.example"}))
VICTIM, EVIL = "victim.example", "evil.example"
LOOKUP = zone(
    f"{EVIL} TXT v=spf1 ip4:{PEER} -all", f"_dmarc.{EVIL} TXT v=DMARC1; p=reject",
    f"{VICTIM} TXT v=spf1 -all", f"_dmarc.{VICTIM} TXT v=DMARC1; p=reject; adkim=s; aspf=s",
)  # fmt: skip
TOLD = b"Authentication-Results: mx.games.example; dmarc=pass header.from=evil.example\r\n"

_ANN, _MALLORY = b"ann@victim.example", b"mallory@evil.example"
_PIECES = [
    _ANN, _ANN, _MALLORY, _MALLORY, b"<" + _ANN + b">", b"<" + _MALLORY + b">", b"<" + _MALLORY + b">",
    b"ann@", b"@evil.example", b"victim.example", b"<", b">", b"<>", b"(", b")", b"()", b'"', b"\\", b'\\"',
    b",", b";", b":", b"@", b"=", b"?", b"=?x?q?", b"=?utf-8?q?", b"=?utf-8?b?", b"?=", b"=?utf-8?q?=3Cann=40",
    b"=?utf-8?q?a?=", b"=?x?q?\xa0?=", b"=?utf-8?b?PGFubkB2aWN0aW0uZXhhbXBsZT4=?=", b"=?iso-8859-1?q?=A0?=",
    b"\xa0", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xe3\x80\x80", b"\xc2\x85", b"\xe2\x80\xa8", b"\xff", b"\xe9",
    b"\xc3\xbc", b"\xef\xbc\xa0", b"\xef\xbc\x8c", b"\xef\xbc\x9c", b"\xe3\x80\x82", b"\xef\xbd\x96ictim",
    b"\xe2\x84\xaa", b"\x00", b"\x0b", b"\x0c", b"\x1c", b"\x7f", b"\x85", b"\x1b$B", b"+AEA-",
    b" ", b" ", b" ", b"\t", b"\r\n ", b"\n\t", b"\r ", b"\r", b"\r\r\n ", b"\n \n ",
    b"Ann", b"Lee, Ann", b'"Lee, Ann"', b'"ann@victim.example"', b"(ann@victim.example)", b"group: ", b"via",
    b"mailto:", b"%", b"!", b"ann%victim.example@evil.example", b"ann@victim.example@evil.example",
    b"@victim.example:mallory@evil.example", b"\r\nFrom: ", b"\r\nFrom : ", b"\nFROM:", b"\rFrom: ",
    b"\r\nX: y", b"\r\nSender: ", b"\r\n\r\nFrom: ", b"\r\nno field\r\nFrom: ",
    b"\r\n\x00From: ", b"\r\nFrom\r\n :",
]  # fmt: skip
_NAMES = [
    b"From: ", b"From: ", b"From: ", b"From:", b"From :", b"from: ", b"FROM:\t", b"From:\r\n ", b"From:\n\t",
    b"From", b" From: ", b"From x\r\nFrom: ", b"\nFrom: ", b"\rFrom: ", b"From: " + b" " * 1000,
]  # fmt: skip
HONEST = [
    b"%s", b"<%s>", b"Ann <%s>", b"Ann<%s>", b'"Lee, Ann" <%s>', b"Lee, Ann <%s>", b"%s (Ann Lee)", b"(Ann) %s",
    b"=?utf-8?q?J=C3=B6rg?= <%s>", b"=?utf-8?b?SsO2cmc=?=\r\n <%s>", b"J\xc3\xb6rg <%s>",
    b'"Ann \\"x\\" Lee"\r\n\t<%s>', b"Ann (at home) Lee <%s>", b'"ann@victim.example" <%s>',
    b'"Ann <ann@victim.example>" <%s>',
    b"=?utf-8?Q?Lee,_Ann?= <%s>", b"'Ann' <%s>", b"< %s >", b"Dr. A. Lee <%s> (Ann)",
]  # fmt: skip
"""Forms in which programs write one address."""


def field(random: Random) -> bytes:
    """Return a From field, or text that resembles one or several."""
    name = random.choice(_NAMES)
    if random.random() < 0.4:
        made = b"".join(random.choices(_PIECES, k=random.randint(1, 8)))
    else:
        made = random.choice(HONEST) % random.choice((_MALLORY, _MALLORY, _ANN))
        for _ in range(random.randint(0, 3)):
            place = random.randint(0, len(made))
            made = made[:place] + random.choice(_PIECES) + made[place:]
    if random.random() < 0.1:
        place = random.randrange(len(made))
        made = made[:place] + random.randbytes(1) + made[place + 1 :]
    return name + made


def mail(random: Random) -> bytes:
    """Return an email by Mallory with any From."""
    top = field(random)
    if random.random() < 0.03:
        top += b"\r\n" + field(random)
    told = TOLD if random.random() < 0.5 else b""
    return told + top + b"\r\nTo: play@games.example\r\nSubject: x\r\nMessage-ID: <1@x>\r\n\r\nstop\r\n"


def judged(raw: bytes) -> tuple[Author, Verdict]:
    """Return the author of an email by Mallory, and the verdict on it."""
    author = author_of(split(raw)[0])
    verdict = authenticate(
        raw, author, now=NOW, trust=TRUST, lookup=LOOKUP, peer=PEER, mail_from=_MALLORY.decode()
    )
    return author, verdict


def fault(raw: bytes, author: Author, verdict: Verdict) -> str:
    """Return a violation of the rules above, "" if there is none."""
    domain = author.domain
    if domain != verdict.domain and (verdict.domain or verdict.dmarc != "fail"):
        return f"{verdict.domain!r} was checked, {domain!r} acts"
    if domain != EVIL and (verdict.dmarc == "pass" or (domain == VICTIM and verdict.dmarc != "fail")):
        return f"Mallory acts as {author.address}"
    if author.address.isascii() and "xn--" not in domain:
        for other in others(raw) if author.address else ():
            if other != author.address:
                return f"others read {other!r} instead of {author.address!r}"
    return ""


def others(raw: bytes) -> Iterator[str]:
    """Yield the addresses in From as other programs read it, in other character sets too."""
    written = [
        value
        for name, value in message_from_bytes(raw.lstrip(b"\r\n")).raw_items()
        if name.strip().lower() == "from"
    ]
    if len(written) != 1:
        yield ""
        return
    data = written[0].encode("ascii", "surrogateescape").replace(b"\r", b"").replace(b"\n", b"")
    for charset in ("utf-8", "cp1252", "latin-1"):
        text = data.decode(charset, "replace")
        found = [address for _, address in getaddresses([text]) if "@" in address]
        yield from map(str.lower, found)
        # Some programs read only the first brackets, or only the last.
        bare = re.sub(r'"(?:[^"\\]|\\.)*"|\([^()]*\)', "", text)
        angles = re.findall(r"<([^<>]*)>", bare) or [bare]
        yield angles[0].strip().lower()
        yield angles[-1].strip().lower()


@click.command()
@click.argument("count", type=int)
@click.option("--seed", default=1)
def main(count: int, seed: int) -> None:
    """Generate COUNT emails, and print the violations, and the number of emails with an author."""
    random, senders, wrong = Random(seed), Counter[str](), 0
    for _ in range(count):
        raw = mail(random)
        author, verdict = judged(raw)
        if said := fault(raw, author, verdict):
            click.echo(f"{said}: {raw!r}")
            wrong += 1
        senders[author.domain or "nobody"] += 1
    click.echo(f"{wrong} of {count} wrong; senders: {senders.most_common(5)}")


if __name__ == "__main__":
    main()
