"""All checks, in the order in which they run."""

from collections.abc import Iterator

from mail.authentication.checks.dns import LookupFailed
from mail.outgoing.delivering import DeliveryFailed
from server.doctor import data, dns, machine, mail_checks, pages
from server.doctor.finding import Check, Finding, State, unknown
from server.doctor.installation import Installation

CHECKS = (
    Check("settings", machine.settings),
    Check("database", data.database),
    Check("disk", machine.disk, ("database",)),
    Check("journal", machine.journal, ("database",)),
    Check("schema", data.schema, ("database",)),
    Check("history", data.of_health("history", "one database accepts writes"), ("schema",)),
    Check("key", data.key, ("schema",)),
    Check("clock", machine.clock, ("schema",)),
    Check("ports", machine.ports),
    Check("worker", data.worker, ("schema",)),
    Check("mail in", data.mail_in, ("schema",)),
    Check("mail budget", data.of_health("mail budget", "within today's budgets"), ("schema",)),
    Check("inbox", data.of_health("inbox", "nothing waits for long"), ("schema",)),
    Check("outbox", data.outbox, ("schema",)),
    Check("mail out", data.mail_out, ("schema",)),
    Check("deadlines", data.of_health("deadlines", "none is overdue"), ("schema",)),
    Check("failures", data.of_health("failures", "none"), ("schema",)),
    Check("backup", data.backup, ("schema",)),
    Check("relay", mail_checks.relay, ("settings",)),
    Check("round trip", mail_checks.round_trip, ("relay", "key", "mail in")),
    Check("MX", dns.mx),
    Check("SPF", dns.sending),
    Check("DKIM", dns.signing, ("relay", "key")),
    Check("DMARC", dns.policy),
    Check("reverse name", dns.reverse),
    Check("certificate", pages.certificate),
    Check("proxy", pages.proxy, ("certificate",)),
    Check("games", data.games, ("key",)),
)


def examine(installation: Installation) -> Iterator[tuple[Check, Finding]]:
    """Run all checks, one after the other."""
    states: dict[str, State] = {}
    for check in CHECKS:
        found = _look(check, installation, [name for name in check.after if states.get(name) == "wrong"])
        states[check.name] = found.state
        yield check, found


def _look(check: Check, installation: Installation, failed: list[str]) -> Finding:
    if failed:
        return unknown(f"skipped; first fix: {', '.join(failed)}")
    try:
        return check.look(installation)
    except LookupFailed as error:
        return unknown(f"the name servers do not answer: {error}")
    except DeliveryFailed as failure:
        return unknown(f"no email could be sent: {failure}")
    except Exception as error:  # any error: the other checks are still useful
        return unknown(f"the check failed: {type(error).__name__}")
