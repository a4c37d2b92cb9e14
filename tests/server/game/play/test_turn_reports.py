"""Turns that players get email about, by their choice: by default those after which they have to move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from sqlalchemy import update
from sqlmodel import col

from rules.registry import RULES
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import messages
from server.game.play import endings, moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.jobs.table import REMINDERS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Outbox, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, Written, letters, receive, reply_address
from tests.support.server.games import begin, offer_draw, submit, take_back
from tests.support.server.players import add_player
from tests.support.server.services import Clock


class Company:
    """The players of a started game, by seat, and the emails to each since the last look."""

    def __init__(self, services: Services, game_type: str, seats: int = 2, **options: object) -> None:
        self.services = services
        people = [add_player(services, f"{name}@example.org", name.title()) for name in ("ann", "ben", "cem")]
        self.number = begin(services, game_type, *people[:seats], **options)
        self.seen = 0
        self.new()

    def game(self) -> Game:
        with reading(self.services.engine) as session:
            return session.get_one(Game, self.number)

    def players(self) -> list[Player]:
        with reading(self.services.engine) as session:
            return [player for _, player in log.seats(session, session.get_one(Game, self.number))]

    def address(self, seat: int, turn: int) -> str:
        return reply_address(self.services, self.number, seat, turn)

    def write(self, seat: int, text: str, *, turn: int | None = None) -> list[Written]:
        """Reply to the email about a turn, by default the current one; return the emails to the writer."""
        sender = self.players()[seat].email
        to = self.address(seat, self.game().turn if turn is None else turn)
        return [each for each in receive(self.services, sender, to, text) if each.to == sender]

    def choose(self, seat: int, way: str) -> None:
        (answer,) = receive(self.services, self.players()[seat].email, PLAY, f"mail {way}")
        assert answer.letter == "confirmation"
        self.new()

    def move(self, seat: int) -> str:
        """Play a legal move."""
        move = self.example(seat)
        submit(self.services, self.number, seat, move)
        return move

    def example(self, seat: int) -> str:
        """Return a legal move, or orders."""
        game = self.game()
        return log.rules_of(game).examples(log.position_of(game), seat)[0]

    def act(self, seat: int, do: Callable[[ActionContext, Player, Target], object]) -> None:
        with writing(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            _, player = log.seats(session, game)[seat]
            action = ActionContext(session, self.services.sealer, self.services.now())
            do(action, player, Target(self.number, seat, game.turn))

    def new(self) -> list[list[Written]]:
        found = letters(self.services, self.seen)
        self.seen += len(found)
        return [[each for each in found if each.to == player.email] for player in self.players()]

    def told(self) -> list[list[str]]:
        """Return the names of the new letters, by seat."""
        return [[each.letter for each in mine] for mine in self.new()]


@pytest.fixture
def pair(services: Services) -> Company:
    return Company(services, "nebuchadnezzar", size=5)


@pytest.fixture
def three(services: Services) -> Company:
    return Company(services, "nexus", 3, players=3)


def test_own_move_is_not_reported_to_its_player(pair: Company) -> None:
    assert pair.write(0, "c3") == []
    assert pair.told() == [[], ["report"]]
    assert pair.write(1, "a1") == []
    (mine,), others = pair.new()
    assert others == []
    assert "played a1" in mine.words
    assert "c3" not in mine.text.partition("Turn 3.")[0], "players are not notified of their own moves"


def test_turns_of_three_players_are_reported_in_order(three: Company) -> None:
    moves = []
    for seat in range(3):
        moves.append(three.move(seat))
        told = three.new()
        assert [len(mine) for mine in told] == [int(each == (seat + 1) % 3) for each in range(3)]
    words = told[0][0].words
    told_moves = [RULES["nexus"].deed(move) for move in moves]
    assert words.index(told_moves[1]) < words.index(told_moves[2])
    assert "Turn 1 " not in words


def test_message_with_a_move_is_reported_immediately(three: Company) -> None:
    move = three.example(0)
    three.act(0, lambda action, player, target: moves.submit(action, player, target, move, "Well met!"))
    told = three.new()
    assert [[each.letter for each in mine] for mine in told] == [[], ["report"], ["report"]]
    assert "Well met!" in told[2][0].words


def test_emailed_message_is_not_repeated_with_the_next_turn(three: Company) -> None:
    """Only turns are deferred, not messages."""
    three.move(0)
    three.new()
    three.act(
        1, lambda action, _, target: messages.say(action, action.session.get_one(Game, target.game), 1, "Hm.")
    )
    assert three.told() == [["message"], [], ["message"]]
    three.move(1)
    _, _, (mine,) = three.new()
    assert "Hm." not in mine.words
    assert mine.words.count(") added ") == 2


def test_resignation_while_others_play_on_is_confirmed(three: Company) -> None:
    assert [each.letter for each in three.write(1, "resign")] == ["report"]
    assert three.told()[2] == []


def test_timeout_while_others_play_on_is_reported(three: Company, clock: Clock) -> None:
    clock.advance(days=4)
    with writing(three.services.engine) as session:
        session.execute(update(Outbox).values(state="sent", sent_at=col(Outbox.created_at)))
        endings.handle_timeouts(
            ActionContext(session, three.services.sealer, clock()), session.get_one(Game, three.number)
        )
    assert three.told() == [["report"], ["report"], []]


@pytest.mark.parametrize("seat", [0, 1])
def test_all_players_get_the_result(pair: Company, seat: int) -> None:
    pair.write(seat, "resign")
    assert pair.told() == [["report"], ["report"]]


def test_all_players_get_the_takeback(pair: Company) -> None:
    pair.write(0, "c3")
    pair.act(0, take_back)
    pair.new()
    pair.act(1, take_back)
    assert pair.told() == [["report"], ["report"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c3\nif a1 then e5", "if a1 then e5"),
        ("c3\nif a1 than e5", ""),
        ("? c3", "c3"),
        ("c3\nshow", "Turn 2"),
        ("c3\ndraw", "You have offered a draw. Your opponent has been notified."),
        ("c9", "c9"),
    ],
)
def test_other_commands_beside_a_move_are_answered(pair: Company, text: str, said: str) -> None:
    (answer,) = pair.write(0, text)
    assert said in answer.words


def test_word_read_as_another_is_reported(pair: Company) -> None:
    (answer,) = pair.write(0, "с3")  # a Cyrillic letter
    assert "Nabu read" in answer.words


def test_late_move_that_counts_is_confirmed(pair: Company, clock: Clock) -> None:
    clock.advance(days=3, minutes=30)
    (answer,) = pair.write(0, "c3")
    assert "Turn 2. " in answer.words


def test_immediate_answer_is_reported(pair: Company) -> None:
    pair.write(1, "if c3 then a1")
    pair.new()
    (answer,) = pair.write(0, "c3")
    assert "You played c3." in answer.words
    assert "played a1." in answer.words
    assert pair.told()[1] == [], "a player learns of their conditional move with the next turn"
    pair.write(0, "e5")
    _, (mine,) = pair.new()
    assert "played c3. You played a1. " in mine.words
    assert "played e5." in mine.words
    assert "from your conditional moves: turn 2." in mine.words


def test_player_removed_from_a_game_of_three_is_notified(services: Services) -> None:
    company, choose = Company(services, "nexus", 3, players=3), Random(41)
    rules = log.rules_of(company.game())
    while not rules.seats_out(log.position_of(company.game())):
        company.new()
        (seat,) = rules.to_move(position := log.position_of(company.game()))
        submit(services, company.number, seat, rules.format(rules.sample(position, seat, choose.randrange)))
    (out,) = rules.seats_out(log.position_of(company.game()))
    assert company.game().state == "running"
    (mine,) = company.new()[out]
    assert "You are out of this game. The others continue." in mine.words
    assert "You are out: " in mine.html
    assert "Due " not in mine.words, "the deadline of another player"


def test_many_turns_are_listed_below_the_board(three: Company) -> None:
    three.write(1, "resign")
    for seat in (0, 2, 0, 2):
        three.move(seat)
    three.write(0, "resign")
    report = three.new()[1][-1]
    assert "Turns 2 to 6 were played." in report.words
    assert report.text.index("In reserve") < report.text.index("Turn 2") < report.text.index("Open the board")


def test_every_turn_is_reported_if_the_player_wants_it(pair: Company) -> None:
    pair.choose(0, "every turn")
    (answer,) = pair.write(0, "c3")
    assert "You played c3." in answer.words
    submit(pair.services, pair.number, 1, "a1")
    assert pair.told() == [["report", "report"], ["report"]]


def test_reports_and_reminders_are_not_sent_to_players_who_chose_never(pair: Company, clock: Clock) -> None:
    pair.choose(1, "never")
    pair.write(0, "c3\nsay Hello!")
    pair.act(0, offer_draw)
    assert pair.told()[1] == []
    assert [each.letter for each in pair.write(1, "? a1")] == ["preview"], "answers to their own mails"
    clock.advance(days=2, hours=1)
    assert REMINDERS.run_next(pair.services.engine, pair.services.sealer, clock())
    pair.new()
    pair.write(0, "resign")
    assert pair.told() == [["report"], []]
    with writing(pair.services.engine) as session:
        first, second = (session.get_one(Player, player.id) for player in pair.players())
        action = ActionContext(session, pair.services.sealer, clock())
        challenges.challenge(action, first, [second], "nibble", {})
    assert [each.letter for each in letters(pair.services, pair.seen) if each.to == second.email] == [
        "invitation"
    ]


def test_turns_wait_for_the_digest(pair: Company, clock: Clock) -> None:
    with writing(pair.services.engine) as session:
        player = session.get_one(Player, pair.players()[1].id)
        preferences.set_digest(ActionContext(session, pair.services.sealer, clock()), player, "daily 18:00")
    pair.write(0, "c3")
    assert pair.told() == [[], []]


# A draw offer with a move


def test_move_and_draw_offer_are_one_email(pair: Company) -> None:
    (answer,) = pair.write(0, "c3\ndraw")
    assert "You have offered a draw" in answer.words
    _, (mine,) = pair.new()
    assert (mine.letter, "offers a draw" in mine.words, "played c3." in mine.words) == ("report", True, True)
    assert [each.letter for each in pair.write(1, "draw")] == ["report"]
    assert pair.game().state == "over"


def test_move_and_draw_offer_may_be_in_any_order(pair: Company) -> None:
    pair.write(0, "draw\nc3")
    assert [len(mine) for mine in pair.new()] == [1, 1]
    pair.write(1, "a1\ndraw")
    assert pair.game().state == "over", "with a move an offer can be accepted, too"


def test_orders_and_draw_offer_are_one_email(services: Services) -> None:
    company = Company(services, "nelaxtam", size=10, troops=1, sea=0)
    assert [each.letter for each in company.write(0, "1 d4\ndraw")] == ["answers"]
    assert company.told()[1] == ["proposed"], "sealed orders are not reported"
    company.write(1, company.example(1))
    (first,), (second,) = company.new()
    assert "offers a draw" in second.words
    assert "offers a draw" not in first.words


# Replies to the email before the writer's own move


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("undo", "proposal_noted", "You have asked for a takeback."),
        ("draw", "proposal_noted", "You have offered a draw."),
        ("if a1 then e5", "conditions", "e5"),
    ],
)
def test_email_before_ones_own_move_can_be_answered(pair: Company, text: str, answer: str, said: str) -> None:
    pair.write(0, "c3", turn=1)
    [letter] = pair.write(0, text, turn=1)
    assert (letter.letter, said in letter.words) == (answer, True)


def test_second_move_in_reply_to_the_same_email_is_refused(pair: Company) -> None:
    pair.write(0, "c3", turn=1)
    (answer,) = pair.write(0, "a1", turn=1)
    assert "This answers turn 1, but it is now turn 2." in answer.words
    assert "Your email changed nothing in the game. You wrote: | a1 Waiting for " in answer.words


def test_answer_is_stale_after_the_opponents_move(pair: Company) -> None:
    pair.write(0, "c3")
    pair.write(1, "a1")
    (answer,) = pair.write(0, "resign", turn=1)
    assert "This answers turn 1, but it is now turn 3." in answer.words


def test_one_of_three_can_resign_while_others_move(three: Company) -> None:
    for seat in (0, 1):
        three.move(seat)
    three.write(0, "resign", turn=1)
    with reading(three.services.engine) as session:
        left = log.rules_of(three.game()).seats_out(log.position_of(session.get_one(Game, three.number)))
    assert set(left) == {0}
