"""The module through which every move passes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from rules.errors import WrongMove
from rules.records.proof import commitment
from server.accounts import computer_players, players
from server.errors import BadRequest, GameOver, NotRunning, NotYours, NotYourTurn, Refused, StaleReply
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.proposals import DRAW
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Envelope, Game, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.computer_players import begin_solo, seat_of
from tests.support.server.emails import letters, receive, reply_address, write
from tests.support.server.games import TwoPlayerGame, act, begin, offer_draw
from tests.support.server.players import add_player, mail_every_turn


def test_move_is_one_turn_of_the_log_and_one_report_to_each(table: TwoPlayerGame) -> None:
    mail_every_turn(table.services)
    before = table.letters().count("report")
    table.submit(0, "Place C3.")
    game = table.game()
    assert game.turn == 2
    assert table.letters().count("report") == before + 2
    with reading(table.services.engine) as session:
        turn = log.turn(session, table.game(), 1)
        assert turn.body["line"] == {"seat": 0, "move": "c3"}
        assert turn.position == game.position
        assert [seat.owes for seat, _ in log.seats(session, game)] == [False, True]


def test_illegal_move_changes_nothing(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    before = table.snapshot()
    with pytest.raises(WrongMove, match="c4"):
        table.submit(1, "c4")
    assert table.snapshot() == before


@pytest.mark.parametrize(
    ("seat", "turn", "by", "error"),
    [
        (0, 2, 0, NotYourTurn),
        (1, 1, 1, StaleReply),
        (1, 3, 1, StaleReply),
        (1, 2, 0, NotYours),
        (2, 2, 0, NotYours),
    ],
)
def test_only_the_right_seat_can_move_in_the_right_turn(
    table: TwoPlayerGame, seat: int, turn: int, by: int, error: type[Refused]
) -> None:
    table.submit(0, "c3")
    before = table.snapshot()
    with pytest.raises(error):
        table.submit(seat, "a1", turn=turn, by=by)
    assert table.snapshot() == before


def test_stale_reply_names_both_turns(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    table.submit(1, "a1")
    with pytest.raises(StaleReply, match="answers turn 1, but it is now turn 3"):
        table.submit(0, "e5", turn=1)


def test_nothing_is_played_before_all_have_accepted(services: Services) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, "ann@example.org", "Ann")
        ben = players.register(action, "ben@example.org", "Ben")
        game = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {})
        seat = challenges.seat_of(session, game, ann)
        assert seat is not None
        target = Target(log.id_of(game), seat, 1)
        with pytest.raises(NotRunning):
            moves.submit(action, ann, target, "c3")


def test_orders_are_sealed_until_all_are_in(island: TwoPlayerGame) -> None:
    island.submit(0, "1 d4")
    with reading(island.services.engine) as session:
        envelope = session.get_one(Envelope, (island.number, 1, 0))
        assert b"1 d4" not in envelope.sealed
        orders, nonce = island.services.sealer.open_json(envelope.sealed)
        assert (orders, envelope.commitment) == ("1 d4", commitment(nonce, island.number, 1, 0, "1 d4"))
    assert island.game().turn == 1
    island.submit(1, "A c4")
    game = island.game()
    assert game.turn == 2
    with reading(island.services.engine) as session:
        turn = log.turn(session, island.game(), 1)
        assert turn.body["line"] == {"orders": {"0": "1 d4", "1": "A c4"}}
        opened = turn.body["opened"]["0"]
        assert opened["commitment"] == commitment(opened["nonce"], island.number, 1, 0, "1 d4")
        assert session.get(Envelope, (island.number, 1, 0)) is None


def test_orders_can_be_replaced_completely(island: TwoPlayerGame) -> None:
    island.submit(0, "1 d4")
    island.submit(0, "1 f6")
    island.submit(1, "A c4")
    with reading(island.services.engine) as session:
        assert log.turn(session, island.game(), 1).body["line"]["orders"]["0"] == "1 f6"


def test_only_the_writer_gets_a_receipt(island: TwoPlayerGame) -> None:
    island.submit(0, "1 d4")
    with reading(island.services.engine) as session:
        receipts = list(session.exec(select(Outbox.recipient).where(Outbox.letter == "receipt")))
    assert receipts == [f"{island.players[0].name.lower()}@example.org"]


def test_report_has_the_commitment_to_the_orders(island: TwoPlayerGame) -> None:
    """The player who gives the last orders gets no receipt."""
    island.submit(0, "1 d4")
    island.submit(1, "A c4")
    with reading(island.services.engine) as session:
        opened = log.turn(session, island.game(), 1).body["opened"]
    told = {each.to: each.words for each in letters(island.services) if each.letter == "report"}
    for seat, player in enumerate(island.players):
        proof = f"Proof: your orders of turn 1 {opened[str(seat)]['commitment']} "
        assert proof in told[player.email]


@pytest.mark.parametrize(
    ("choice", "expected"), [("mail my turn", []), ("mail never", ["receipt"]), ("digest daily", ["receipt"])]
)
def test_report_replaces_the_receipt_against_the_computer(
    services: Services, ann: Player, choice: str, expected: list[str]
) -> None:
    number = begin_solo(services, ann, "nelaxtam", size=10, troops=1, sea=0)
    seat = seat_of(services, number, ann)
    write(services, ann.email, choice)
    told = receive(services, ann.email, reply_address(services, number, seat), ("1 d4", "A c4")[seat])
    assert [each.letter for each in told] == expected


def test_resignation_ends_a_game_of_two(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        moves.resign(action, table.players[0], Target(table.number, 0, 2))
    game = table.game()
    assert (game.state, game.result) == ("over", {"winners": [1], "reason": "resigned"})
    with reading(table.services.engine) as session:
        assert log.turn(session, table.game(), 2).body["line"] == {"seat": 0, "leave": "resigned"}
    with pytest.raises(GameOver, match=f"Game {table.number} is over"):
        table.submit(1, "a1")


def test_draw_needs_both_players(table: TwoPlayerGame) -> None:
    def offer(seat: int) -> None:
        with writing(table.services.engine) as session:
            action = ActionContext(session, table.services.sealer, table.services.now())
            offer_draw(action, table.players[seat], Target(table.number, seat, table.game().turn))

    offer(0)
    assert table.game().state == "running"
    table.submit(0, "c3")
    offer(1)
    assert table.game().result == {"winners": [0, 1], "reason": "agreed-draw"}


def test_draw_is_agreed_when_the_last_player_without_an_offer_leaves(
    services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    table = TwoPlayerGame.of(services, begin(services, "nexus", ann, ben, cleo, players=3))
    act(services, table.number, 2, offer_draw)
    act(services, table.number, 0, offer_draw)
    assert table.game().state == "running"
    act(services, table.number, 1, moves.resign)
    assert table.game().result == {"winners": [0, 2], "reason": "agreed-draw"}


@pytest.mark.parametrize(("offering", "asked"), [((2, 3), 2), ((1, 2), 0)])
def test_report_asks_only_for_answers_that_were_not_given(
    services: Services, ann: Player, ben: Player, cleo: Player, offering: tuple[int, int], asked: int
) -> None:
    dan = add_player(services, "dan@example.org", "Dan")
    table = TwoPlayerGame.of(services, begin(services, "nexus", ann, ben, cleo, dan, players=4))
    for seat in offering:
        act(services, table.number, seat, offer_draw)
    sent = len(letters(services))
    act(services, table.number, 0, moves.resign)
    (report,) = (each for each in letters(services, sent) if each.to == table.players[1].email)
    assert report.words.count("offers a draw") == asked


@pytest.mark.parametrize("with_a_move", [False, True])
def test_computer_players_do_not_accept_a_draw(services: Services, with_a_move: bool) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        people = [session.get_one(Player, ann.id), computer_players.computer(action)]
        number = log.id_of(challenges.challenge(action, people[0], people[1:], "nebuchadnezzar", {"size": 5}))
    table = TwoPlayerGame.of(services, number)
    mine = [player.name for player in table.players].index("Ann")
    if mine == 1:
        table.submit(0, "c3")
    target, before = Target(number, mine, table.game().turn), table.snapshot()

    def offer() -> None:
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            if with_a_move:
                moves.submit(action, ann, target, "a1", proposal=DRAW)
            else:
                offer_draw(action, ann, target)

    with pytest.raises(BadRequest, match="Computer players do not accept draws"):
        offer()
    assert table.snapshot() == before


def test_offer_of_a_draw_expires_when_the_opponent_moves(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        offer_draw(action, table.players[0], Target(table.number, 0, 1))
    table.submit(0, "c3")
    table.submit(1, "a1")
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        offer_draw(action, table.players[1], Target(table.number, 1, 3))
    assert table.game().state == "running"


def test_preview_plays_nothing(table: TwoPlayerGame) -> None:
    before = table.snapshot()
    with reading(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        step = moves.preview(action, table.players[0], Target(table.number, 0, 1), "c3")
    assert log.rules_of(table.game()).write(step.after)["rows"][2] == "..b.."
    assert table.snapshot() == before


def test_log_alone_gives_the_position(table: TwoPlayerGame) -> None:
    for seat, text in [(0, "c3"), (1, "swap"), (0, "a1"), (1, "b2"), (0, "e5")]:
        table.submit(seat, text)
    with reading(table.services.engine) as session:
        game = session.get_one(Game, table.number)
        rules = log.rules_of(game)
        position = rules.start(game.options, game.setup)
        for _, step in log.steps(session, game):
            position = rules.play(position, step.moves)
        assert rules.write(position) == game.position


def test_seats_are_drawn_by_lot(services: Services) -> None:
    first = set()
    for number in range(12):
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            ann = players.by_name(session, "Ann") or players.register(action, "ann@example.org", "Ann")
            other = players.register(action, f"p{number}@example.org", f"P{number}")
            game = challenges.challenge(action, ann, [other], "nebuchadnezzar", {})
            challenges.accept(action, other, log.id_of(game))
            seat = session.get_one(Seat, (game.id, 0))
            first.add(session.get_one(Player, seat.player_id).name == "Ann")
    assert first == {True, False}


@pytest.mark.both
def test_gift_of_time_goes_only_to_the_others(island: TwoPlayerGame) -> None:
    """Both players have to give orders; the one who gives time does not get it."""
    before = island.deadlines()
    with writing(island.services.engine) as session:
        action = ActionContext(session, island.services.sealer, island.services.now())
        moves.give_time(action, island.players[0], Target(island.number, 0, 1), "1d")
    assert island.deadlines() == [before[0], before[1] + timedelta(days=1)]
    with reading(island.services.engine) as session:
        query = select(Outbox.recipient).where(Outbox.letter == "time_given")
        assert session.exec(query).all() == [island.players[1].email]
