"""Several connections to a relay: emails to different people in parallel, those to one person in order."""

from __future__ import annotations

from threading import Barrier, Event

from mail.outgoing.delivering import Relay, RelayConnections

PATIENCE = 60.0


def lines(count: int) -> RelayConnections:
    """Return connections to a relay that is never contacted; the submitted functions decide the outcome."""
    return RelayConnections([Relay("smtp://127.0.0.1:9", hostname="games.example.org") for _ in range(count)])


def test_emails_to_different_people_are_sent_in_parallel() -> None:
    met = Barrier(2, timeout=PATIENCE)
    two = lines(2)
    sent = [two.submit(person, lambda relay: met.wait()) for person in on_different_lines(two)]
    assert sorted(future.result(PATIENCE) for future in sent) == [0, 1]
    two.close()


def test_emails_to_one_person_keep_their_order() -> None:
    held, order, four = Event(), list[int](), lines(4)

    def wait_first(_: Relay) -> None:
        held.wait(PATIENCE)
        order.append(1)

    sent = [four.submit("ann@example.org", wait_first)]
    sent.append(four.submit("ann@example.org", lambda relay: order.append(2)))
    held.set()
    for future in sent:
        future.result(PATIENCE)
    assert order == [1, 2]
    four.close()


def test_closing_finishes_submitted_emails() -> None:
    one, done = lines(1), list[Relay]()
    for _ in range(20):
        one.submit("ann@example.org", done.append)
    one.close()
    assert len(done) == 20


def on_different_lines(two: RelayConnections) -> tuple[str, str]:
    """Return two people whose emails take different connections."""
    relays = {two.submit(name, lambda relay: relay).result(PATIENCE): name for name in map(str, range(100))}
    first, second = relays.values()
    return first, second
