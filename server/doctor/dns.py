"""What the DNS says of us: where our mail goes, who may send it, and who signed it."""

import ipaddress

from mail.authentication.checks import dkim, dmarc, spf
from mail.authentication.checks.wire import parse
from mail.outgoing.delivering import Relay
from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation

_SPF = "v=spf1"
_SAMPLE = b"From: nabu\r\n\r\n"


def mx(installation: Installation) -> Finding:
    """Whether others know where to bring our mail."""
    domain = installation.settings.mail_domain
    hosts = installation.lookup(domain, "MX")
    if not hosts:
        return wrong(
            f"{domain} has no MX record.", f"Add to the DNS: {domain}. MX 10 HOST, the host that takes mail."
        )
    for host in hosts:
        if not installation.lookup(host, "A") and not installation.lookup(host, "AAAA"):
            return wrong(
                f"{host}, where mail for {domain} goes, has no address.", f"Add an A record for {host}."
            )
    return fine(", ".join(hosts))


def sending(installation: Installation) -> Finding:
    """Whether the domain lets those send its mail who do (SPF)."""
    domain, own = installation.settings.mail_domain, installation.settings.plain_address
    records = [each for each in installation.lookup(domain, "TXT") if each.lower().startswith(_SPF)]
    if len(records) != 1:
        told = f"{domain} has {'no' if not records else 'more than one'} SPF record."
        return wrong(told, f'Have exactly one: {domain}. TXT "v=spf1 mx -all", with include:… for a provider.')
    if not _sends_itself(installation):
        return fine(f"{records[0]} (whether it names the relay's machines is for the relay's provider to say)")
    if not installation.address:
        return unknown(f"{records[0]}; the address that others see of this machine is not known")
    outcome = spf.check(installation.address, own, domain, installation.lookup)
    if outcome == "pass":
        return fine(records[0])
    return wrong(
        f"{records[0]} does not allow {installation.address}: {outcome}.",
        f"Add ip4:{installation.address} to it.",
    )


def signing(installation: Installation) -> Finding:
    """Whether our mail is signed so that others can verify it (DKIM)."""
    domain, signer = installation.settings.mail_domain, installation.services.signer()
    mail = None if signer is None else signer.sign(_SAMPLE, installation.services.now())
    if signer is not None and domain not in _signers(installation, mail or b""):
        return wrong(
            f"{signer.name} does not hold the key with which mail is signed.",
            f'Set it in the DNS: {signer.name}. TXT "{signer.record}"',
        )
    back = installation.trip.back
    if back is None:
        return unknown("no mail came back whose signature could be verified")
    signers = _signers(installation, back)
    if any(dmarc.may_align(domain, each, strict=False, lookup=installation.lookup) for each in signers):
        return fine(f"signed by {', '.join(signers)}, and verified when it came back")
    if signer is None:
        return wrong("Nobody signs our mail.", "Have nabu setup make a key, or have the relay sign.")
    return wrong("The relay changes mail so that our signature breaks.", "Have it leave mail as it is.")


def policy(installation: Installation) -> Finding:
    """Whether the domain says what to do with mail that is forged in its name (DMARC)."""
    domain = installation.settings.mail_domain
    if dmarc.policy(domain, installation.lookup) is None:
        return wrong(f"{domain} has no DMARC record.", f'Add: _dmarc.{domain}. TXT "v=DMARC1; p=quarantine"')
    return fine("published")


def reverse(installation: Installation) -> Finding:
    """Whether the address that sends leads back to a name, and that to the address."""
    if not _sends_itself(installation):
        return unknown("mail goes out by another machine")
    if not installation.address:
        return unknown("the address that others see of this machine is not known")
    names = installation.lookup(ipaddress.ip_address(installation.address).reverse_pointer, "PTR")
    if not names:
        return wrong(
            f"{installation.address} has no name.",
            "Have who runs the machine set its reverse DNS: large providers insist.",
        )
    if installation.address not in installation.lookup(names[0], "A"):
        return wrong(
            f"{installation.address} is called {names[0]}, which has another address.", "Make the two agree."
        )
    return fine(f"{installation.address} is {names[0]}")


def _sends_itself(installation: Installation) -> bool:
    """Whether mail goes to the world from this machine: by a relay that is here."""
    return Relay(installation.settings.smtp_url, hostname="").server.is_here


def _signers(installation: Installation, mail: bytes) -> tuple[str, ...]:
    """The domains whose signatures on a mail are good. Raises LookupFailed."""
    return dkim.signers(parse(mail), installation.lookup, installation.services.now())[0]
