"""Checks of mail: the relay, and the round trip of a test email."""

from mail.outgoing.delivering import DeliveryFailed, Relay
from server.doctor.finding import Finding, fine, wrong
from server.doctor.installation import Installation

_QUICK = 5.0  # seconds; people who play live by email wait for each answer


def relay(installation: Installation) -> Finding:
    """Check whether the relay answers, accepts the login, and would accept an email from Nabu to itself."""
    settings = installation.settings
    way = Relay(settings.smtp_url, hostname=settings.mail_domain)
    where = f"{way.server.host}:{way.server.port}"
    try:
        way.try_out(settings.plain_address, settings.plain_address)
    except DeliveryFailed as failure:
        return wrong(f"{where}: {failure}.", advice(failure))
    logged_in = f", logged in as {way.server.user}" if way.server.user else ""
    return fine(f"{where}{logged_in}")


def round_trip(installation: Installation) -> Finding:
    """Check whether a test email goes out and comes back, and how long that takes."""
    try:
        trip = installation.trip
    except DeliveryFailed as failure:
        return wrong(f"The relay refused the test email: {failure}.", advice(failure))
    if trip.back is None:
        return wrong(
            f"A test email to {installation.settings.plain_address} did not come back within "
            f"{trip.seconds:.0f} seconds.",
            "Look into the relay's log and the spam folder, and check that mail for "
            f"{installation.settings.mail_domain} is delivered to Nabu.",
        )
    return fine(f"{trip.seconds:.1f} seconds{'' if trip.seconds < _QUICK else ', which is slow'}")


def advice(failure: DeliveryFailed) -> str:
    """Return how to fix a relay that refuses emails."""
    if failure.code in (534, 535, 538):
        return "Correct user and password in NABU_SMTP_URL; many providers require an app password."
    if failure.code == 530:
        return "The relay requires a user and a password, or encryption: see NABU_SMTP_URL."
    if failure.forbidden:
        return (
            "Allow this sender address at the relay: it may belong to another account, or to no domain of "
            "yours."
        )
    if failure.of == "recipient":
        return "Configure it to accept mail for NABU_MAIL_DOMAIN, and to deliver that mail to Nabu."
    if failure.code == 0:
        return (
            "Check host and port in NABU_SMTP_URL: smtps:// (port 465) or smtp+starttls:// (587). Many "
            "networks block port 25."
        )
    return "Look into the relay's log."
