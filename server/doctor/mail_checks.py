"""Mail: the relay takes it, and it comes back to us."""

from mail.outgoing.delivering import DeliveryFailed, Relay
from server.doctor.finding import Finding, fine, wrong
from server.doctor.installation import Installation

_QUICK = 5.0  # seconds: on the page of one game, somebody waits for an answer


def relay(installation: Installation) -> Finding:
    """Whether the relay can be reached, lets us in, and would take a mail from us to ourselves."""
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
    """Whether a real mail goes out and comes in, and how long that takes."""
    try:
        trip = installation.trip
    except DeliveryFailed as failure:
        return wrong(f"The relay does not take it: {failure}.", advice(failure))
    if trip.back is None:
        return wrong(
            f"A mail to {installation.settings.plain_address} did not come back within {trip.seconds:.0f} "
            "seconds.",
            "See what the relay's log says of it; whether it is in a spam folder; and whether mail for "
            f"{installation.settings.mail_domain} is handed to Nabu.",
        )
    return fine(f"{trip.seconds:.1f} seconds{'' if trip.seconds < _QUICK else ', which is slow'}")


def advice(failure: DeliveryFailed) -> str:
    """What to do about a relay that does not take our mail."""
    if failure.code in (534, 535, 538):
        return "Correct user and password in NABU_SMTP_URL; many providers want one made for programs."
    if failure.code == 530:
        return "It wants a user and a password, or encryption: see NABU_SMTP_URL."
    if failure.forbidden:
        return (
            "Have it let us send from this address: it may belong to another account, or to no domain of yours."
        )
    if failure.of == "recipient":
        return "Have it take mail for the domain of NABU_MAIL_DOMAIN, and hand that to Nabu."
    if failure.code == 0:
        return (
            "See host and port in NABU_SMTP_URL, and smtps:// (465) or smtp+starttls:// (587); many machines "
            "may not reach port 25 of others."
        )
    return "See the relay's log."
