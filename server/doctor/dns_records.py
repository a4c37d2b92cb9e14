"""The DNS records, and the settings of Postfix, that Nabu's domain needs."""

from collections.abc import Iterator

from mail.outgoing.signing import Signer
from server.settings import ROOT, Settings

_EXAMPLE = "games.example.org"
_LONGEST = 255
"""The most characters of one string in a TXT record; longer records consist of several strings."""


def zone(settings: Settings, signer: Signer | None) -> Iterator[str]:
    """Yield the DNS records as lines of a zone file, such as `example.org. IN MX 10 example.org.`"""
    domain = settings.mail_domain
    yield f"{domain}. IN MX 10 {domain}."
    yield f"{domain}. IN TXT {_quoted('v=spf1 mx -all')}"
    if signer is not None:
        yield key(signer)
    yield f"_dmarc.{domain}. IN TXT {_quoted('v=DMARC1; p=quarantine')}"


def key(signer: Signer) -> str:
    """Return the DNS record of the public DKIM key."""
    return f"{signer.name}. IN TXT {_quoted(signer.record)}"


def postfix(settings: Settings) -> Iterator[str]:
    """Yield the lines for Postfix's main.cf that make it deliver the domain's mail to Nabu by LMTP."""
    example = (ROOT / "deploy" / "postfix" / "main.cf.example").read_text(encoding="utf-8")
    for line in example.replace(_EXAMPLE, settings.mail_domain).splitlines():
        if not line.startswith("#"):
            yield line


def _quoted(text: str) -> str:
    parts = (text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST))
    return " ".join(f'"{part}"' for part in parts)
