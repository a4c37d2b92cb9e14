"""Series: several games between the same players, who change seats."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from rules.records.verification import verify
from server.accounts import players
from server.game.integrity import log_check
from server.game.log import log
from server.jobs.table import SERIES
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.server.players import add_player


class Series:
    """A series that Ann proposes."""

    def __init__(self, services: Services, text: str, *others: str) -> None:
        self.services = services
        receive(services, "ann@example.org", PLAY, text)
        for name in others:
            receive(services, f"{name}@example.org", PLAY, "accept 1")

    def write(self, name: str, text: str, number: int | None = None) -> list[Written]:
        """Reply about a game, by default the latest; return the letters that this causes."""
        number = number or self.last
        with reading(self.services.engine) as session:
            seats = self.names(number)
            turn = session.get_one(Game, number).turn
        token = self.services.tokens.write(ReplyToken(number, seats.index(name.title()), turn))
        return receive(self.services, f"{name}@example.org", f"play+{token}@games.example.org", text)

    def go_on(self) -> list[Written]:
        """Run the job of the worker; return the letters that this causes."""
        before = len(letters(self.services))
        while SERIES.run_next(self.services.engine, self.services.sealer, self.services.now()):
            pass
        return letters(self.services, before)

    @property
    def last(self) -> int:
        """Return the number of the latest game."""
        with reading(self.services.engine) as session:
            return session.exec(select(Game.id).order_by(col(Game.id).desc())).first() or 0

    def names(self, number: int) -> list[str]:
        """Return the names of the players, by seat."""
        with reading(self.services.engine) as session:
            return [player.name for _, player in log.seats(session, session.get_one(Game, number))]


@pytest.fixture
def series(services: Services, ann: Player, ben: Player) -> Series:
    """A series of three games between Ann and Ben."""
    return Series(services, "challenge Ben nardshir games=3 time=2d", "ben")


def to(sent: list[Written], name: str) -> Written:
    """Return the letter to a player."""
    return next(letter for letter in sent if letter.to == f"{name}@example.org")


def test_proposed_series_is_announced(services: Services, ann: Player, ben: Player) -> None:
    sent = receive(services, "ann@example.org", PLAY, "challenge Ben nibble games=4")
    said = (
        "This is a series of 4 games: when one is over, the next starts automatically, and the players "
        "change seats."
    )
    assert said in to(sent, "ben").words
    (answer,) = receive(services, "ben@example.org", PLAY, "counter games=many")
    assert "“games” must be a number from 1 to 20, not many." in answer.words
    receive(services, "ben@example.org", PLAY, "counter games=2")
    with reading(services.engine) as session:
        assert session.get_one(Game, 2).terms["games"] == "2"


@pytest.mark.both
def test_next_game_starts_automatically_with_seats_rotated(series: Series) -> None:
    over = series.write("ben", "resign")
    assert "Game 1 of 3; Ann 1, Ben 0." in to(over, "ann").words
    assert "For a rematch" not in to(over, "ann").words
    begun = series.go_on()
    assert {letter.to for letter in begun} == {"ann@example.org", "ben@example.org"}
    assert "Game 2 of 3; Ann 1, Ben 0." in to(begun, "ben").words
    assert series.names(2) == series.names(1)[::-1]
    with reading(series.services.engine) as session:
        first, second = (session.get_one(Game, number) for number in (1, 2))
        assert (second.state, second.terms, second.again_of) == ("running", first.terms, 1)
        assert second.seed_hash != first.seed_hash
    assert series.go_on() == []


def test_drawn_game_counts_half_a_point_for_each_player(series: Series) -> None:
    for _ in range(2):
        series.write("ann", "draw")
        over = series.write("ben", "draw")
        series.go_on()
    assert "Game 2 of 3; Ann 1, Ben 1." in to(over, "ann").words
    series.write("ann", "draw")
    last = series.write("ben", "draw")
    assert "Game 3 of 3; Ann 1½, Ben 1½." in to(last, "ben").words


def test_series_ends_after_the_last_game(series: Series) -> None:
    for name in ("ben", "ann"):
        series.write(name, "resign")
        series.go_on()
    last = series.write("ann", "resign")
    assert "Game 3 of 3; Ann 1, Ben 2." in to(last, "ben").words
    assert "write: rematch" in to(last, "ben").words
    assert (series.go_on(), series.last) == ([], 3)
    series.write("ann", "rematch")
    with reading(series.services.engine) as session:
        assert "games" not in session.get_one(Game, 4).terms, "one game more"


def test_each_game_of_a_series_can_be_verified(series: Series) -> None:
    series.write("ben", "resign")
    series.go_on()
    series.write("ben", "resign")
    assert not log_check.check(series.services.engine, series.services.sealer, 2)
    with reading(series.services.engine) as session:
        second = session.get_one(Game, 2)
        assert log.entries(session, second)[0].body["turned"] == 1
        assert verify(log.record(session, second).to_json()).wrong is None
        assert second.count_due_at is not None


def test_seats_of_three_players_rotate(services: Services, ann: Player, ben: Player) -> None:
    add_player(services, "cleo@example.org", "Cleo")
    series = Series(services, "challenge Ben, Cleo nexus players=3 games=3", "ben", "cleo")
    for number in (1, 2):
        for name in ("ann", "ben"):
            series.write(name, "resign", number)
        series.go_on()
        before = series.names(number)
        assert series.names(number + 1) == [*before[1:], before[0]]
    assert not log_check.check(services.engine, services.sealer, 2)
    with reading(services.engine) as session:
        verified = verify(log.record(session, session.get_one(Game, 2)).to_json())
    assert verified.wrong is None
    assert any("one seat on from where they sat in game 1" in line for line in verified.checked)


def test_one_player_can_end_the_series(series: Series) -> None:
    told = series.write("ann", "series off")
    told_ben = "Ann has ended the series. No game follows this one. This game goes on; it is now the last"
    assert told_ben in to(told, "ben").words
    assert "The series ends with game 1: no further game follows." in to(told, "ann").words
    (answer,) = series.write("ben", "series off")
    assert "No further game follows in this series." in answer.words
    over = series.write("ben", "resign")
    assert "Game 1 of 3, the last; Ann 1, Ben 0." in to(over, "ann").words
    assert series.go_on() == []


def test_reply_about_an_earlier_game_applies_to_the_series(series: Series) -> None:
    series.write("ben", "resign")
    series.go_on()
    series.write("ann", "series off", 1)
    series.write("ben", "resign", 2)
    assert series.go_on() == []


def test_series_can_be_ended_between_two_games(series: Series) -> None:
    series.write("ben", "resign")
    (answer,) = series.write("ann", "rematch")
    assert "The next game of this series starts automatically." in answer.words
    series.write("ann", "series off")
    assert (series.go_on(), series.last) == ([], 1)


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", ["stop", "block", "suspension"])
def test_series_ends_without_a_reason_if_players_cannot_continue(series: Series, way: str, ann: Player) -> None:
    series.write("ben", "resign")
    with writing(series.services.engine) as session:
        player = session.get_one(Player, ann.id)
        if way == "suspension":
            player.suspended_at = series.services.now()
        elif way == "stop":
            players.want_nothing(ActionContext(session, series.services.sealer, series.services.now()), player)
    if way == "block":
        receive(series.services, "ann@example.org", PLAY, "block Ben")
    told = [letter for letter in series.go_on() if letter.to == "ben@example.org"]
    assert [letter.letter for letter in told] == ["series_over"]
    assert "The series is over: its next game cannot start. Ann 1, Ben 0." in told[0].words
    assert (series.go_on(), series.last) == ([], 1)
    (answer,) = series.write("ben", "series off", 1)
    assert "No further game follows in this series." in answer.words


def test_aborted_game_is_the_last_of_a_series(series: Series) -> None:
    with writing(series.services.engine) as session:
        game = session.get_one(Game, 1)
        game.state, game.result = "over", {"winners": [], "reason": "aborted"}
        game.next_due_at = series.services.now()
    assert {letter.letter for letter in series.go_on()} == {"series_over"}
    assert series.last == 1


@pytest.mark.parametrize(
    ("challenge", "sentence"),
    [
        ("challenge Ben nibble games=21", "“games” must be a number from 1 to 20, not 21."),
        ("challenge Ben nibble games=0", "“games” must be a number from 1 to 20, not 0."),
        ("tournament Cup nibble games=2", "The games of a tournament cannot be series: leave out games."),
    ],
)
def test_invalid_number_of_games_is_refused(
    services: Services, ann: Player, ben: Player, challenge: str, sentence: str
) -> None:
    (answer,) = receive(services, "ann@example.org", PLAY, challenge)
    assert sentence in answer.words


def test_single_game_is_no_series(services: Services, ann: Player, ben: Player) -> None:
    single = Series(services, "challenge Ben nibble", "ben")
    for text, sentence in (("series off", "Game 1 is not part of a series."), ("series", "write: series off")):
        (answer,) = single.write("ann", text)
        assert sentence in answer.words
