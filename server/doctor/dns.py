"""The DNS records that Nabu needs, and checks of them: MX, SPF, DKIM, DMARC, the name of this machine."""

import ipaddress
from collections.abc import Iterator

from mail.authentication.checks import dkim, dmarc, spf
from mail.authentication.checks.wire import parse
from mail.outgoing.delivering import Relay
from mail.outgoing.signing import Signer
from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation
from server.settings import ROOT, Settings

_EXAMPLE = "games.example.org"
_LONGEST = 255
"""The most characters of one string in a TXT record; longer records consist of several strings."""
_SPF = "v=spf1"
_SAMPLE = b"From: nabu\r\n\r\n"


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


def mx(installation: Installation) -> Finding:
    """Check whether the domain has MX records, and their hosts have addresses."""
    domain = installation.settings.mail_domain
    hosts = installation.lookup(domain, "MX")
    if not hosts:
        return wrong(
            f"{domain} has no MX record.",
            f"Add to the DNS: {domain}. MX 10 HOST, where HOST receives its mail.",
        )
    for host in hosts:
        if not installation.has_address(host):
            return wrong(
                f"{host}, the mail server of {domain}, has no address.", f"Add an A record for {host}."
            )
    return fine(", ".join(hosts))


def sending(installation: Installation) -> Finding:
    """Check whether SPF allows this machine to send the domain's mail."""
    domain, own = installation.settings.mail_domain, installation.settings.plain_address
    records = [each for each in installation.lookup(domain, "TXT") if each.lower().startswith(_SPF)]
    if len(records) != 1:
        return wrong(
            f"{domain} has {'no' if not records else 'more than one'} SPF record.",
            f'Add exactly one: {domain}. TXT "v=spf1 mx -all", with include:… for a provider.',
        )
    if not _sends_itself(installation):
        return fine(f"{records[0]} (ask the relay's provider whether it includes their machines)")
    if not installation.address:
        return unknown(f"{records[0]}; the public address of this machine is unknown")
    outcome = spf.check(installation.address, own, domain, installation.lookup)
    if outcome == "pass":
        return fine(records[0])
    return wrong(
        f"{records[0]} does not allow {installation.address}: {outcome}.",
        f"Add ip4:{installation.address} to it.",
    )


def signing(installation: Installation) -> Finding:
    """Check whether outgoing mail has a DKIM signature that others can verify."""
    domain, signer = installation.settings.mail_domain, installation.services.signer()
    mail = None if signer is None else signer.sign(_SAMPLE, installation.services.now())
    if signer is not None and domain not in _signers(installation, mail or b""):
        return wrong(
            f"{signer.name} does not contain the key with which Nabu signs emails.",
            f'Set it in the DNS: {signer.name}. TXT "{signer.record}"',
        )
    back = installation.trip.back
    if back is None:
        return unknown("no test email came back, so no signature could be verified")
    signers = _signers(installation, back)
    if any(dmarc.may_align(domain, each, strict=False, lookup=installation.lookup) for each in signers):
        return fine(f"signed by {', '.join(signers)}, and verified after the round trip")
    if signer is None:
        return wrong("Outgoing emails are not signed.", "Set NABU_DKIM_KEY, or make the relay sign.")
    return wrong(
        "The relay changes emails, which breaks their signatures.",
        "Configure the relay to leave emails unchanged.",
    )


def policy(installation: Installation) -> Finding:
    """Check whether the domain has a DMARC policy against forged emails."""
    domain = installation.settings.mail_domain
    if dmarc.policy(domain, installation.lookup) is None:
        return wrong(f"{domain} has no DMARC record.", f'Add: _dmarc.{domain}. TXT "v=DMARC1; p=quarantine"')
    return fine("published")


def reverse(installation: Installation) -> Finding:
    """Check whether this machine's address has a name, and the name this address."""
    if not _sends_itself(installation):
        return unknown("another machine relays the mail")
    if not installation.address:
        return unknown("the public address of this machine is unknown")
    names = installation.lookup(ipaddress.ip_address(installation.address).reverse_pointer, "PTR")
    if not names:
        return wrong(
            f"{installation.address} has no name.",
            "Ask the machine's provider to set its reverse DNS; large mail providers require it.",
        )
    if installation.address not in installation.lookup(names[0], "A"):
        return wrong(
            f"{installation.address} has the name {names[0]}, but that name has another address.",
            "Make the two agree.",
        )
    return fine(f"{installation.address} is {names[0]}")


def _sends_itself(installation: Installation) -> bool:
    """Return whether the relay runs on this machine."""
    return Relay(installation.settings.smtp_url, hostname="").server.is_here


def _signers(installation: Installation, mail: bytes) -> tuple[str, ...]:
    """Return the domains with valid signatures on an email. Raises LookupFailed."""
    return dkim.signers(parse(mail), installation.lookup, installation.services.now())[0]
