"""Counting finished games: the same numbers to the last bit, whenever they are counted again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random

import pytest
from click.testing import CliRunner
from sqlalchemy import update
from sqlmodel import col, select

from rules.result import Result
from rules.strengths import LEVELS
from server.accounts import computer_players
from server.cli import nabu
from server.game.integrity import recount
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import endings
from server.game.ratings import ratings, results
from server.game.ratings.punctuality import IN_TIME, Answers, reliability, usual_seconds
from server.game.terms.terms import GameTerms, terms_of_options
from server.game.views.profile import profile_of
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Conduct, Game, Habit, Outbox, Player, Rating, RatingChange, Tally
from server.store.outbox import ActionContext
from tests.support.folders import DOCS
from tests.support.server.games import begin, resign, submit
from tests.support.server.players import add_player
from tests.support.server.ratings import BOARD, OPENING, count_all, counted, play_one
from tests.support.server.services import Clock, environment_of


@pytest.fixture
def three(services: Services) -> list[Player]:
    """Ann, Ben and Cleo."""
    return [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben", "Cleo")]


def numbers(services: Services) -> dict[str, int]:
    """Return the ratings, by name."""
    with reading(services.engine) as session:
        rows = session.exec(select(Player.name, Rating).where(Rating.player_id == Player.id))
        return {
            name: ratings.displayed_rating(ratings.Skill(row.mu, row.sigma), row.games).number
            for name, row in rows
        }


def test_game_counts_once(services: Services, three: list[Player]) -> None:
    ann, ben, _ = three
    play_one(services, ann, ben)
    count_all(services)
    first = numbers(services)
    assert first["Ann"] > 1500 > first["Ben"]
    count_all(services)
    assert numbers(services) == first
    (tallies,) = counted(services, Tally)
    assert sorted((row["won"], row["lost"]) for row in tallies) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    "why",
    [
        "off",
        "before",
        "computer off",
        "computer before",
        "guided",
        "no move",
        "one move",
        "abandoned",
        "adjudicated",
    ],
)
def test_games_that_are_not_rated(services: Services, clock: Clock, three: list[Player], why: str) -> None:
    ann, ben, _ = three
    if why in ("abandoned", "adjudicated"):
        number = begin(services, "nebuchadnezzar", ann, ben, time="none", **BOARD)
        for seat, move in enumerate(OPENING):
            submit(services, number, seat, move)
        clock.advance(days=40)
        with writing(services.engine) as session:
            end = endings.abort_idle if why == "abandoned" else endings.adjudicate_by_time
            end(ActionContext(session, services.sealer, services.now()), session.get_one(Game, number))
    else:
        moves = {"no move": 0, "one move": 1}.get(why, 2)
        if "computer" in why or why == "guided":
            number = begin_alone(services, ann, "on" if why == "computer before" else "off", why == "guided")
            play_both(services, number)
            resign(services, number, ann)
        else:
            number = play_one(services, ann, ben, moves, **({"rated": "off"} if why == "off" else {}))
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        assert game.state == "over"
        if "before" in why:
            game.terms = {name: value for name, value in game.terms.items() if name != "rated"}
    count_all(services)
    assert counted(services, Rating, RatingChange) == [[], []]
    (tallies,) = counted(services, Tally)
    assert len(tallies) == (0 if "computer" in why or why == "guided" else 2)


def test_latest_hundred_answers_of_all_games_count(services: Services, three: list[Player]) -> None:
    ann, ben, _ = three
    games = [play_one(services, ann, ben) for _ in range(2)]
    count_all(services)
    with writing(services.engine) as session:
        for game, seconds in zip(games, (range(60), range(60, 120)), strict=True):
            session.execute(update(Conduct).where(col(Conduct.game_id) == game).values(answers=list(seconds)))
        (habit,) = results.habits(session, [ann.id or 0])
    assert habit.answers == list(range(20, 120))


def begin_alone(
    services: Services, player: Player, rated: str = "on", guided: bool = False, others: int = 1
) -> int:
    """Start a game against computer players; return its number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        court_at = [computer_players.member(action, level) for level in range(2, 2 + others)]
        me, game_type = session.get_one(Player, player.id), "nebuchadnezzar" if others == 1 else "nexus"
        options = {"rated": rated} | (BOARD if others == 1 else {"players": 1 + others})
        game = challenges.challenge(action, me, court_at, game_type, options, guided=guided)
        return log.id_of(game)


def play_both(services: Services, number: int) -> None:
    """Make a move for every seat."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules, seats = log.rules_of(game), len(game.asked)
    for _ in range(seats):
        with reading(services.engine) as session:
            position = log.position_of(session.get_one(Game, number))
        (seat,) = rules.to_move(position)
        submit(services, number, seat, rules.format(rules.sample(position, seat, Random(1).randrange)))


def test_games_against_computer_players_count_only_for_ratings(services: Services, three: list[Player]) -> None:
    ann, _, _ = three
    number = begin_alone(services, ann)
    play_both(services, number)
    resign(services, number, ann)
    count_all(services)
    assert numbers(services)["Ann"] < 1500
    assert 1375 < numbers(services)["Enkidu"] < 1500, "level 2 starts at 1375, and not at 1500"
    tallies, habits = counted(services, Tally, Habit)
    assert [(row["won"], row["lost"]) for row in tallies] == [(1, 0)], "Enkidu has played with a person"
    assert habits == []
    assert_counted_again_it_is_the_same(services)
    with reading(services.engine) as session:
        found = profile_of(session, session.get_one(Player, ann.id))
    assert [(game_type.title, game_type.ended, game_type.games) for game_type in found.game_types] == [
        ("Nebuchadnezzar", "none yet", 0)
    ]
    assert [rating.now.provisional for rating in found.game_types[0].ratings] == [True]


def test_game_that_changes_no_rating_stores_none(
    services: Services, three: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computer player has no rating yet, and gets none."""
    monkeypatch.setattr(results, "MOST_AHEAD", 0)
    ann, ben, _ = three
    play_one(services, ann, ben)
    count_all(services)
    before = counted(services, Rating, RatingChange)
    number = begin_alone(services, ann)
    play_both(services, number)
    with writing(services.engine) as session:
        enkidu = computer_players.member(ActionContext(session, services.sealer, services.now()), 2)
    resign(services, number, enkidu)
    count_all(services)
    assert counted(services, Rating, RatingChange) == before
    assert_counted_again_it_is_the_same(services)


def test_games_of_two_computer_players_show_no_results(services: Services, three: list[Player]) -> None:
    number = begin_alone(services, three[0], others=2)
    play_both(services, number)
    resign(services, number, three[0])
    with writing(services.engine) as session:
        enkidu = computer_players.member(ActionContext(session, services.sealer, services.now()), 2)
    resign(services, number, enkidu)
    count_all(services)
    assert counted(services, Tally, Habit) == [[], []]
    assert numbers(services)["Amytis"] > 1500 > numbers(services)["Ann"]
    assert_counted_again_it_is_the_same(services)


def assert_counted_again_it_is_the_same(services: Services) -> None:
    before = counted(services)
    with writing(services.engine) as session:
        for row in session.exec(select(Rating)):
            row.mu = 1.0
        for row in [*session.exec(select(Tally)), *session.exec(select(Habit))]:
            session.delete(row)
    recount.reread(services.engine)
    for _ in recount.recount(services.engine):
        pass
    assert counted(services) == before


@pytest.mark.slow
@pytest.mark.both
def test_second_count_gives_identical_numbers(services: Services, clock: Clock, three: list[Player]) -> None:
    choose = Random(7)
    for _ in range(12):
        winner, loser = choose.sample(three, 2)
        play_one(services, winner, loser, time=choose.choice(["1d", "3d"]))
        clock.advance(hours=choose.randrange(50))
    many = begin(services, "nexus", *three, players=3)
    for player in three[:2]:
        resign(services, many, player)
    count_all(services)
    before = counted(services)
    assert {row["pace"] for row in before[0]} == {"fast", "slow"}
    with writing(services.engine) as session:
        for table, column in ((Rating, "mu"), (Tally, "won"), (Conduct, "answers"), (Habit, "answers")):
            for row in session.exec(select(table)):
                setattr(row, column, [3] if column == "answers" else 3)
    assert counted(services) != before
    done = CliRunner().invoke(nabu, ["admin", "recount"], env=environment_of(services.settings))
    assert done.stdout == "Games counted: 13.\n"
    assert counted(services) == before


@pytest.mark.both
def test_corrected_result_counts_as_if_it_had_always_been_so(services: Services, three: list[Player]) -> None:
    ann, ben, cleo = three
    play_one(services, cleo, ben)
    wrong = play_one(services, ann, ben)
    play_one(services, ann, cleo)
    play_one(services, cleo, ben, time="1d")
    count_all(services)
    before = numbers(services)
    with writing(services.engine) as session:
        game = session.get_one(Game, wrong)
        winner = next(seat.number for seat, player in log.seats(session, game) if player.id == ben.id)
        endings.adjudicate_result(
            ActionContext(session, services.sealer, services.now()), game, [winner], "They had agreed to it."
        )
    count_all(services)
    assert numbers(services) != before
    (tallies,) = counted(services, Tally)
    assert sorted((row["won"], row["lost"]) for row in tallies) == [(1, 1), (1, 2), (2, 1)]
    again = counted(services)
    assert sum(recount.recount(services.engine)) == 4
    assert counted(services) == again


def test_answering_times_of_players(services: Services, clock: Clock, three: list[Player]) -> None:
    ann, ben, _ = three
    number = begin(services, "nebuchadnezzar", ann, ben, time="1d", **BOARD)
    submit(services, number, 0, "e5")
    clock.advance(hours=5)
    submit(services, number, 1, "a1")
    clock.advance(days=3)
    with writing(services.engine) as session:
        session.execute(update(Outbox).values(state="sent", sent_at=col(Outbox.created_at)))
        endings.handle_timeouts(
            ActionContext(session, services.sealer, services.now()), session.get_one(Game, number)
        )
    count_all(services)
    (rows,) = counted(services, Conduct)
    assert {row["seat"]: row["answers"] for row in rows} == {0: [IN_TIME, None], 1: [5 * 3600]}


@pytest.mark.parametrize(
    ("game_type", "moves", "end", "answers"),
    [
        ("nebuchadnezzar", OPENING, endings.abort_idle, {0: [IN_TIME, None], 1: [3600]}),
        ("nebuchadnezzar", OPENING, endings.adjudicate_by_time, {0: [IN_TIME], 1: [3600]}),
        ("nelaxtam", (), endings.abort_idle, {0: [], 1: []}),
    ],
    ids=["abandoned", "adjudicated", "with sealed orders"],
)
def test_player_who_abandons_a_game_has_missed_a_turn(
    services: Services,
    clock: Clock,
    three: list[Player],
    game_type: str,
    moves: Sequence[str],
    end: Callable[[ActionContext, Game], None],
    answers: dict[int, Answers],
) -> None:
    number = begin(services, game_type, *three[:2], time="none", **(BOARD if moves else {}))
    for seat, move in enumerate(moves):
        submit(services, number, seat, move)
        clock.advance(hours=1)
    clock.advance(days=40)
    with writing(services.engine) as session:
        end(ActionContext(session, services.sealer, services.now()), session.get_one(Game, number))
    count_all(services)
    (rows,) = counted(services, Conduct)
    assert {row["seat"]: row["answers"] for row in rows} == answers


@pytest.mark.parametrize(
    ("answers", "share", "seconds"),
    [
        ([60] * 9, None, None),
        ([60] * 10, 100, 60),
        ([0] * 10, 100, 1),
        ([60, 120, 180] * 5 + [None] * 5, 75, 120),
        ([IN_TIME] * 9 + [None], 90, None),
    ],
)
def test_reliability_and_usual_time_are_shown(
    answers: list[int | None], share: int | None, seconds: int | None
) -> None:
    assert (reliability(answers), usual_seconds(answers)) == (share, seconds)


@pytest.mark.parametrize(
    ("result", "ranks"),
    [
        (Result((1,), "resigned"), [1, 0]),
        (Result((0, 1), "blocked"), [0, 0]),
        (Result((2,), "last-standing", places=(2, 0, 1)), [1, 2, 0]),
        (Result((0, 2), "standstill", places=(0, 2, 1)), [0, 2, 0]),
        (Result((2,), "resigned"), [1, 1, 0]),
    ],
)
def test_ranks_of_a_result(result: Result, ranks: list[int]) -> None:
    assert ratings.ranks_of(result, len(ranks)) == ranks


@pytest.mark.parametrize(
    ("time", "pace"),
    [("1d", "fast"), ("25h", "slow"), ("12h+6h", "fast"), ("7d+1d", "slow"), ("none", "slow")],
)
def test_day_for_a_move_is_fast(time: str, pace: str) -> None:
    agreed, _ = terms_of_options({"time": time}, ratings.UTC, simultaneous=False)
    assert ratings.pace_of(agreed.to_json()) == pace


def test_draw_of_equals_changes_only_the_uncertainty() -> None:
    new = [ratings.NEW] * 2
    drawn = ratings.rate(new, [0, 0])
    assert [skill.mu for skill in drawn] == [25.0, 25.0]
    assert all(skill.sigma < ratings.NEW.sigma for skill in drawn)
    both = new
    for _ in range(5):
        assert ratings.displayed_rating(both[0], 0).provisional
        both = ratings.rate(both, [0, 1])
    for _ in range(10):
        both = ratings.rate(both, [1, 0])
    assert not ratings.displayed_rating(both[0], 15).provisional


def test_rated_or_not_is_agreed_with_the_game(services: Services, three: list[Player]) -> None:
    agreed, _ = terms_of_options({}, ratings.UTC, simultaneous=False)
    assert agreed.rated
    assert GameTerms.from_json(agreed.to_json()) == agreed
    unrated, _ = terms_of_options({"rated": "off"}, ratings.UTC, simultaneous=True)
    assert unrated.unusual() == {"rated": "off"}
    assert "not rated" in " ".join(unrated.in_words(services.now(), 2))


def test_standings_of_a_player(services: Services, three: list[Player]) -> None:
    ann, ben, _ = three
    for _ in range(6):
        play_one(services, ann, ben)
    count_all(services)
    with reading(services.engine) as session:
        stands = ratings.standings(session, ann.id or 0)
        slow = stands("nebuchadnezzar", "slow")
        assert slow.rating is not None
        assert str(slow.rating).endswith("?")
        assert stands("nibble", "fast").rating is None


def rated_game(serial: int, winner: int, *players: int, levels: dict[int, int]) -> results.CountedGame:
    """Return a finished game of Nibble; `winner` is a seat."""
    return results.CountedGame(
        game=serial,
        serial=serial,
        game_type="nibble",
        terms={"rated": "on", "time": "2d"},
        result=Result((winner,), "most"),
        at=datetime(2026, 11, 1, tzinfo=UTC),
        players=players,
        levels=levels,
        all_moved=True,
    )


class Book:
    """The ratings of players."""

    def __init__(self) -> None:
        self.rows: dict[int, Rating] = {}

    def play(self, winner: int, *players: int, levels: dict[int, int]) -> list[RatingChange]:
        """Count a game."""
        game = rated_game(1, winner, *players, levels=levels)
        return results.changes(lambda new: self.rows.setdefault(new.player_id, new), game)

    def points(self, player: int) -> int:
        """Return the rating of a player."""
        return ratings.points(self.rows[player].mu)


def test_lead_over_a_computer_player_that_ends_ratings_is_the_documented_one() -> None:
    said = f"your rating is at most {ratings.MOST_AHEAD} points above that of the"
    assert said in " ".join((DOCS / "ratings.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("level", LEVELS)
def test_rating_won_from_a_computer_player_is_bounded(level: int) -> None:
    """500 wins bring no more than the first few, and do not take more from the computer player either."""
    book = Book()
    rated = sum(bool(book.play(0, 1, 2, levels={2: level})) for _ in range(500))
    assert 1 <= rated <= 3
    ahead = book.points(1) - book.points(2)
    assert ratings.MOST_AHEAD < ahead <= ratings.MOST_AHEAD + 100, "the last rated game is won within the limit"


@pytest.mark.parametrize(("sigma", "rated"), [(2.0, False), (7.0, True)])
def test_loss_against_a_much_weaker_computer_player_counts_while_provisional(sigma: float, rated: bool) -> None:
    book = Book()
    book.rows[1] = Rating(player_id=1, game_type="nibble", pace="slow", mu=36.0, sigma=sigma, games=50)
    before = book.points(1)
    assert book.play(0, 1, 2, levels={2: 1}) == []
    assert bool(book.play(1, 1, 2, levels={2: 1})) == rated
    assert (book.points(1) < before) == rated


def test_first_win_of_a_newcomer_counts_however_weak_the_computer_player_is() -> None:
    """One win is rated and moves the rating away from where it began; those after it are not rated."""
    book = Book()
    mu = ratings.NEW.mu + (1084 - 1500) / 48
    book.rows[2] = Rating(player_id=2, game_type="nibble", pace="slow", mu=mu, sigma=2.0, games=50)
    assert [len(book.play(0, 1, 2, levels={2: 1})) for _ in range(3)] == [2, 0, 0]
    assert 1500 < book.points(1) < 1084 + ratings.MOST_AHEAD + 200
    assert 1070 < book.points(2) < 1084


def test_stronger_computer_player_or_another_person_makes_the_game_rated() -> None:
    book = Book()
    book.rows[1] = Rating(player_id=1, game_type="nibble", pace="slow", mu=36.0, sigma=2.0, games=50)
    assert book.points(1) == 2028
    assert book.play(0, 1, 2, levels={2: 3}) == []
    assert len(book.play(0, 1, 2, 3, levels={2: 3, 3: 5})) == 3
    assert len(book.play(0, 1, 2, 4, levels={2: 3})) == 3
    assert len(book.play(0, 1, 4, levels={})) == 2


def test_rating_of_a_stronger_player_is_learnt_from_the_levels() -> None:
    """A player who wins three of four games against level 5 has a higher rating than level 5."""
    book, chance = Book(), Random(3)
    for _ in range(300):
        for level, share in ((3, 0.92), (4, 0.85), (5, 0.75)):
            book.play(0 if chance.random() < share else 1, 1, level + 1, levels={level + 1: level})
    assert 100 < book.points(1) - book.points(6) < ratings.MOST_AHEAD + 100
