"""Two machines that answer each other soon stop, with a report to the administrator; people get answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlmodel import col, select

from server.inbound.authorization.quotas import MOST_ALIKE, MOST_IN_VAIN
from server.jobs.administrator_report import notify_administrator
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Inbox, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, Written, letters, receive, reply_address, write
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

ADMINISTRATOR = "office@example.org"
SAME: Callable[[int], str] = lambda number: "We have received your request and will look into it."  # noqa: E731
OTHER: Callable[[int], str] = lambda number: f"Your request has the number {4000 + number}."  # noqa: E731


class Responder:
    """A program that answers every email immediately, without a header that marks its emails as automatic."""

    def __init__(self, services: Services, address: str, says: Callable[[int], str]) -> None:
        self.services, self.address, self.says = services, address, says
        self.got: list[Written] = []

    def begin(self, to: str = PLAY) -> None:
        """Send an email, and answer all that come back, until none does."""
        waiting = self._send(to)
        while waiting:
            letter = waiting.pop(0)
            waiting += self._send(str(letter.mail["Reply-To"]))
            assert len(self.got) < 100

    def _send(self, to: str) -> list[Written]:
        caused = receive(self.services, self.address, to, self.says(len(self.got)))
        mine = [letter for letter in caused if letter.to == self.address]
        self.got += mine
        return mine


def endings(services: Services) -> list[tuple[str, str]]:
    """Return the final states of the emails in order."""
    with reading(services.engine) as session:
        return [(row.state, row.why) for row in session.exec(select(Inbox).order_by(col(Inbox.id)))]


def told(services: Services) -> list[Written]:
    """Send the daily report if due; return all emails to the administrator."""
    with writing(services.engine) as session:
        notify_administrator(ActionContext(session, services.sealer, services.now()), ADMINISTRATOR)
    return [letter for letter in letters(services) if letter.to == ADMINISTRATOR]


@pytest.mark.both
@pytest.mark.parametrize(("says", "most"), [(SAME, 2), (OTHER, 20)])
def test_two_programs_answer_each_other_a_few_times(
    services: Services, clock: Clock, ann: Player, says: Callable[[int], str], most: int
) -> None:
    responder = Responder(services, ann.email, says)
    responder.begin()
    assert [letter.letter for letter in responder.got] == ["refusal_account"] * most
    assert endings(services)[-1] == ("quarantined", "its sender seems to be a machine")
    (report,) = told(services)
    assert "its sender seems to be a machine" in report.words
    for _ in range(3):
        responder.begin()
    assert len(responder.got) == most, "nothing is answered on that day"
    assert endings(services)[-1] == ("done", "its sender seems to be a machine; not answered")
    clock.advance(hours=25)
    assert len(told(services)) == 1, "the administrator is notified once"
    responder.begin()
    assert len(responder.got) == 2 * most, "and on the next as before"


def test_person_who_writes_correctly_is_answered_again(services: Services, clock: Clock, ann: Player) -> None:
    Responder(services, ann.email, SAME).begin()
    assert write(services, ann, "resing") == []
    clock.advance(minutes=1)
    assert [letter.letter for letter in write(services, ann, "games")] == ["games"]
    clock.advance(minutes=1)
    assert [letter.letter for letter in write(services, ann, "resing")] == ["refusal_account"]


def test_answers_to_others_do_not_end_the_silence(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    Responder(services, ann.email, SAME).begin()
    clock.advance(minutes=1)
    assert [letter.letter for letter in write(services, ben, "games")] == ["games"]
    clock.advance(minutes=1)
    assert write(services, ann, "resing") == []


def test_programs_in_a_game_get_a_few_answers(table: TwoPlayerGame) -> None:
    responder = Responder(table.services, table.players[0].email, SAME)
    responder.begin(reply_address(table.services, table.number, 0))
    assert [letter.letter for letter in responder.got] == ["refusal"] * MOST_ALIKE
    assert receive(table.services, responder.address, reply_address(table.services, table.number, 0), "c3"), (
        "a move is played and answered all the same"
    )
    assert table.game().turn == 2


def test_program_that_only_greets_is_greeted_a_few_times(services: Services, ann: Player) -> None:
    responder = Responder(services, ann.email, lambda number: "Hello")
    responder.begin()
    assert [letter.letter for letter in responder.got] == ["hello"] * 3


def test_any_carried_out_command_resets_the_limit_of_refusals(
    services: Services, clock: Clock, ann: Player
) -> None:
    for _ in range(2 * MOST_IN_VAIN // MOST_ALIKE // 2):
        for _ in range(MOST_ALIKE):
            clock.advance(minutes=1)
            assert [letter.letter for letter in write(services, ann, "resing")] == ["refusal_account"]
        clock.advance(minutes=1)
        assert [letter.letter for letter in write(services, ann, "games")] == ["games"]


@pytest.mark.parametrize(
    "text",
    [
        "Hello,\r\n\r\nI am out of the office until Monday. In urgent cases please contact Bob.",
        "Ich bin im Urlaub. In dringenden Fällen wenden Sie sich bitte an Frau Meier.",
        "Ben Baker reacted to your message:",
    ],
)
def test_automatic_replies_and_reactions_are_not_answered(table: TwoPlayerGame, text: str) -> None:
    for to in (PLAY, reply_address(table.services, table.number, 0)):
        assert receive(table.services, table.players[0].email, to, text) == []
        assert [state for state, _ in endings(table.services)][-1] == "done"
    assert table.game().turn == 1


def test_move_in_a_text_like_an_automatic_reply_is_played(table: TwoPlayerGame) -> None:
    text = "c3\r\n\r\nI am on vacation from tomorrow and will reply when I return."
    receive(table.services, table.players[0].email, reply_address(table.services, table.number, 0), text)
    assert table.game().turn == 2
