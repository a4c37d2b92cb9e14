"""`nabu admin check`: every game matches its log, and derived data can be rebuilt."""

from __future__ import annotations

import random

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import delete
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from rules.records.proof import chained
from rules.records.record import Record, replay
from rules.registry import RULES
from server.accounts import players
from server.cli import nabu
from server.errors import Damaged
from server.game.integrity import log_check
from server.game.integrity.rebuild import course
from server.game.lobby import challenges, joining
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store import failures
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.models import Channel, Entry, Envelope, Failure, Game, GameMessage, Player, Seat, Variation
from server.store.outbox import ActionContext
from tests.support.database.connections import lost_at
from tests.support.folders import RECORDS
from tests.support.server.damage import DAMAGES, is_clean, write_raw
from tests.support.server.games import act, begin, offer_draw, open_game, submit, take_back
from tests.support.server.services import environment_of

ISLAND = {"size": 10, "troops": 1, "sea": 0}


def check(services: Services, *arguments: str) -> Result:
    return CliRunner().invoke(nabu, ["admin", "check", *arguments], env=environment_of(services.settings))


def play_some(services: Services, number: int, turns: int) -> None:
    """Play random turns."""
    below = random.Random(number).randrange
    for _ in range(turns):
        with writing(services.engine) as session:
            action, game = (
                ActionContext(session, services.sealer, services.now()),
                session.get_one(Game, number),
            )
            if game.state == "over":
                return
            rules, position = log.rules_of(game), log.position_of(game)
            for seat in rules.to_move(position):
                _, player = log.seats(session, game)[seat]
                move = rules.format(rules.sample(position, seat, below))
                moves.submit(action, player, Target(number, seat, game.turn), move)


def take_up(services: Services, game_type: str, *people: Player) -> int:
    """Import the first record of a game."""
    for file in sorted(RECORDS.glob(f"{game_type}-*.json")):
        record = Record.from_json(file.read_text(encoding="utf-8"))
        if len(record.seats) == len(people) and record.result is not None:
            with writing(services.engine) as session:
                action = ActionContext(session, services.sealer, services.now())
                seated = [session.get_one(Player, each.id) for each in people]
                return log.id_of(challenges.import_game(action, record, replay(record), seated))
    raise LookupError(game_type)


def invite(services: Services, ann: Player, ben: Player, *, declined: bool) -> int:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        one, other = (session.get_one(Player, each.id) for each in (ann, ben))
        game = challenges.challenge(action, one, [other], "nardshir", {})
        if declined:
            challenges.decline(action, other, log.id_of(game))
        return log.id_of(game)


@pytest.fixture
def city(services: Services, ann: Player, ben: Player) -> int:
    """A game with moves and a takeback."""
    return new_city(services, ann, ben)


def new_city(services: Services, ann: Player, ben: Player) -> int:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    for turn, move in enumerate(("c3", "d4", "b2")):
        submit(services, number, turn % 2, move)
    act(services, number, 0, take_back)
    act(services, number, 1, take_back)
    submit(services, number, 0, "b2")
    submit(services, number, 1, "a1")
    submit(services, number, 0, "e5")
    return number


@pytest.fixture
def island(services: Services, ann: Player, ben: Player) -> int:
    """A game in which one player has given orders and sent a message."""
    number = begin(services, "nelaxtam", ann, ben, **ISLAND)
    submit(services, number, 0, "1 c3")
    with writing(services.engine) as session:
        sealed = services.sealer.seal(b"Hello.")
        session.add(GameMessage(game_id=number, turn=1, seat=0, sealed=sealed, said_at=services.now()))
        session.add(Variation(game_id=number, player_id=ann.id or 0, number=1, sealed=sealed))
    return number


@pytest.fixture
def dice(services: Services, ann: Player, ben: Player) -> int:
    """A game with dice."""
    number = begin(services, "nardshir", ann, ben)
    play_some(services, number, 6)
    return number


# Undamaged games


@pytest.mark.both
def test_lost_connection_is_no_damage(services: Services, ann: Player, ben: Player) -> None:
    """A report of damage would make an administrator restore a game that has none."""
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with lost_at(services.engine, "FROM entry"), pytest.raises(OperationalError):
        log_check.check(services.engine, services.sealer, number)
    assert not log_check.check(services.engine, services.sealer, number)


@pytest.mark.slow
def test_games_of_all_sorts_have_no_fault(
    services: Services, ann: Player, ben: Player, city: int, island: int
) -> None:
    for game_type in RULES:
        take_up(services, game_type, ann, ben)
        for leaves in (True, False):
            number = begin(services, game_type, ann, ben)
            play_some(services, number, 10)
            with writing(services.engine) as session:
                running = session.get_one(Game, number).state == "running"
            if leaves and running:
                act(services, number, 1, moves.resign)
    for declined in (True, False):
        invite(services, ann, ben, declined=declined)
    done = check(services)
    assert (done.exit_code, done.output) == (
        0,
        f"Games checked: {4 + 3 * len(RULES)}. Repaired: 0. With faults: 0.\n",
    )


@pytest.mark.parametrize("ended", [True, False])
def test_anonymous_game_has_no_fault(services: Services, ann: Player, ben: Player, *, ended: bool) -> None:
    number = open_game(services, ann, "nebuchadnezzar", anonymous="yes")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        joining.join(action, session.get_one(Player, ben.id), number)
    play_some(services, number, 4)
    if ended:
        act(services, number, 1, moves.resign)
    assert is_clean(services, number)


def test_game_that_ended_by_agreement_before_the_move_has_no_fault(services: Services, dice: int) -> None:
    act(services, dice, 0, offer_draw)
    act(services, dice, 1, offer_draw)
    assert is_clean(services, dice)


def test_check_does_not_block_writers(services: Services, city: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another transaction writes during the check, with a timeout of zero."""
    other = connect(str(services.settings.database_url), patience=0)
    written: list[int] = []
    play_through = course

    def meanwhile(*arguments: object) -> object:
        with writing(other) as session:
            session.get_one(Game, city, with_for_update=True).rules_version = 99
        written.append(1)
        return play_through(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("server.game.integrity.log_check.course", meanwhile)
    assert is_clean(services, city)
    other.dispose()
    assert written
    monkeypatch.undo()
    assert not is_clean(services, city)


# Derived data


DERIVED: list[tuple[str, str, str | bool | None, str]] = [
    ("game", "position", '{"broken": 1}', "position of the game"),
    ("game", "position", "7", "position of the game"),
    ("game", "memory", '["x"]', "memory of the game"),
    ("game", "rolled", "[1]", "rolled of the game"),
    ("game", "checksum", "0", "checksum of the game"),
    ("game", "options", '{"size": 7}', "options of the game"),
    ("game", "terms", "{}", "terms of the game"),
    ("game", "game_type", "nibble", "game_type of the game"),
    ("game", "seed_hash", "0", "seed_hash of the game"),
    ("game", "turn", "4", "turn of the game"),
    ("game", "state", "over", "state of the game"),
    ("game", "result", '{"winners": [0], "reason": "resigned"}', "result of the game"),
    ("entry", "position", '{"broken": 1}', "position of entry 1, position of entry 2, position of entry 3"),
    ("entry", "checksum", "0", "checksum of entry"),
    ("entry", "turn", None, "turn of entry 1"),
    ("entry", "undone_by", None, "undone_by of entry 3"),
    ("seat", "client_seed", "other words", "client_seed of seat 0"),
    ("seat", "owes", True, "owes of seat 0"),
    ("seat", "owes", False, "owes of seat 1"),
    ("seat", "left", True, "left of seat 0"),
    ("seat", "over_at", "2026-01-01 00:00:00", "over_at of seat 0"),
]


def test_derived_data_is_rebuilt(services: Services, city: int) -> None:
    for table, column, value, told in DERIVED:
        write(services, table, column, value, city)
        found = log_check.check(services.engine, services.sealer, city)
        assert str(found).startswith("differs from the log, but --repair can rebuild it: ")
        assert (found.lost, told in str(found)) == ([], True)
        assert not log_check.repair(services.engine, services.sealer, city, services.now())
        assert is_clean(services, city)
        assert whose_turn(services, city) == [(1, True)]
    submit(services, city, 1, "d1")
    assert is_clean(services, city)


def whose_turn(services: Services, number: int) -> list[tuple[int, bool]]:
    """Return the seats that have to move, and whether their clocks run."""
    with reading(services.engine) as session:
        owing = session.exec(select(Seat).where(Seat.game_id == number, col(Seat.owes))).all()
        return [(seat.number, seat.deadline_at is not None) for seat in owing]


def write(services: Services, table: str, column: str, value: str | bool | None, number: int) -> None:
    """Damage all rows of a game together."""
    where = f"{'id' if table == 'game' else 'game_id'} = {number}"
    is_json = column in ("position", "memory", "rolled", "options", "terms", "result")
    if is_json and isinstance(value, str):
        where += " AND position IS NOT NULL" if table == "entry" else ""
        write_raw(services, table, column, value, where)
        return
    text = "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
    with services.engine.execution_options(writing=True).begin() as connection:
        connection.exec_driver_sql(f'UPDATE {table} SET "{column}" = {text} WHERE {where}')  # noqa: S608


def test_command_prints_a_line_for_each_damaged_game(services: Services, city: int, dice: int) -> None:
    write(services, "game", "position", "7", city)
    write(services, "game", "head", "0", dice)
    lost = "the hash of its last entry is not the head of the game"
    told = [
        f"game {city}: differs from the log, but --repair can rebuild it: position of the game",
        f"game {dice}: the log or what belongs to it is damaged: {lost}",
    ]
    done = check(services)
    assert (done.exit_code, done.stdout.splitlines()) == (
        1,
        [*told, "Games checked: 2. Repaired: 0. With faults: 2."],
    )
    done = check(services, "--repair")
    assert (done.exit_code, done.stdout.splitlines()) == (
        1,
        [*told, "Games checked: 2. Repaired: 1. With faults: 1."],
    )
    done = check(services, str(city))
    assert (done.exit_code, done.stdout) == (0, "Games checked: 1. Repaired: 0. With faults: 0.\n")


def test_dice_are_rolled_again_from_the_seed(services: Services, dice: int) -> None:
    with reading(services.engine) as session:
        before = session.get_one(Game, dice)
    for column, value in (("rolled", "[6, 6]"), ("position", "7")):
        write(services, "game", column, value, dice)
        assert check(services, "--repair").exit_code == 0
        with reading(services.engine) as session:
            after = session.get_one(Game, dice)
        assert (after.rolled, after.position) == (before.rolled, before.position)
        assert after.checksum == before.checksum


@pytest.mark.both
def test_repair_restarts_the_clock_of_the_seat_to_move(services: Services, city: int) -> None:
    for column in ("deadline_at", "grace_until", "owes"):
        write(services, "seat", column, False if column == "owes" else None, city)
    assert check(services, "--repair").exit_code == 0
    assert whose_turn(services, city) == [(1, True)]


def test_repaired_finished_game_has_no_seat_to_move(services: Services, city: int) -> None:
    act(services, city, 0, moves.resign)
    write(services, "game", "state", "running", city)
    write(services, "seat", "owes", True, city)
    write(services, "seat", "over_at", None, city)
    assert check(services, "--repair").exit_code == 0
    with reading(services.engine) as session:
        assert not session.exec(select(Seat).where(Seat.game_id == city, col(Seat.owes))).all()
        game = session.get_one(Game, city)
        assert game.state == "over"
        assert {seat.over_at for seat, _ in log.seats(session, game)} == {game.changed_at}


def test_declined_game_keeps_its_end_time(services: Services, ann: Player, ben: Player) -> None:
    number = invite(services, ann, ben, declined=True)
    write(services, "seat", "over_at", None, number)
    assert "over_at of seat 0, over_at of seat 1" in check(services).stdout
    assert check(services, "--repair").exit_code == 0
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        assert {seat.over_at for seat, _ in log.seats(session, game)} == {game.changed_at}


# Lost data


def stored(services: Services, number: int) -> list[dict[str, object]]:
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rows = (game, *log.entries(session, game))
        return [{name: getattr(row, name) for name in type(row).model_fields} for row in rows]


def is_found_and_left(services: Services, number: int, told: str) -> None:
    before = stored(services, number)
    found = log_check.check(services.engine, services.sealer, number)
    assert (told in str(found), found.derived) == (True, [])
    assert told in str(log_check.repair(services.engine, services.sealer, number, services.now()))
    assert stored(services, number) == before


@pytest.mark.parametrize(("count", "named"), [(5, "a, b, c, d, e"), (6, "a, b, c, d, e and 1 more")])
def test_finding_names_the_first_five_differences(count: int, named: str) -> None:
    finding = log_check.LogFinding(derived=list("abcdef"[:count]))
    assert str(finding) == f"differs from the log, but --repair can rebuild it: {named}"


def test_open_game_has_a_player_and_a_free_seat(services: Services, ann: Player, ben: Player) -> None:
    number = open_game(services, ann, "nebuchadnezzar")
    assert is_clean(services, number)
    for seated in ([], [ann, ben]):
        with writing(services.engine) as session:
            session.get_one(Game, number).asked = [players.identity(each) for each in seated]
        is_found_and_left(services, number, "it is open, but all of its seats are taken, or none")


def test_changed_log_is_found_and_not_repaired(services: Services, ann: Player, ben: Player) -> None:
    for damage in DAMAGES:
        number = new_city(services, ann, ben)
        damage(services, number)
        write(services, "game", "position", "7", number)
        is_found_and_left(services, number, "the log or what belongs to it is damaged: ")


def rewrite(services: Services, number: int, turn: int, **line: object) -> None:
    """Change a turn and all later hashes, like an attacker with access to the database."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        game.head = ""
        for entry in log.entries(session, game):
            if entry.turn == turn:
                entry.body = {**entry.body, "line": {**entry.body["line"], **line}}
            game.head = entry.hash = chained(game.head, entry.body)


def test_log_with_valid_hashes_and_illegal_turns_is_found(services: Services, city: int, dice: int) -> None:
    rewrite(services, city, 2, move="c3")
    is_found_and_left(services, city, "it cannot be replayed: ")
    with reading(services.engine) as session:
        rolled = log.turn(session, session.get_one(Game, dice), 2).body["line"]["dice"]
    rewrite(services, dice, 2, dice=[each % 6 + 1 for each in rolled])
    is_found_and_left(services, dice, "turn 2 has other dice than its seed gives")


def test_result_that_contradicts_the_rules_is_found(services: Services, city: int) -> None:
    """Its hash is right, and so is the result in the row of the game."""
    act(services, city, 0, moves.resign)
    with writing(services.engine) as session:
        game = session.get_one(Game, city)
        *_, before, end = log.entries(session, game)
        game.result = {"winners": [0], "reason": "resigned"}
        end.body = {**end.body, "result": game.result}
        game.head = end.hash = chained(before.hash, end.body)
    is_found_and_left(services, city, "result: ")


def test_wrong_or_undecryptable_seed_is_found(services: Services, dice: int) -> None:
    for seed, told in (
        (services.sealer.seal(b"x" * 32), "its seed does not match the published hash"),
        (b"nothing", "cannot decrypt its seed: no matching key"),
    ):
        with writing(services.engine) as session:
            session.get_one(Game, dice).sealed_seed = seed
        is_found_and_left(services, dice, told)


def test_undecryptable_data_is_found(services: Services, island: int) -> None:
    for table, column, told in (
        (Envelope, "sealed", "cannot decrypt the orders of seat 0: no matching key"),
        (GameMessage, "sealed", "cannot decrypt a message of seat 0 in turn 1: no matching key"),
        (Variation, "sealed", "cannot decrypt variation 1 of player"),
        (Seat, "sealed_conditions", "cannot decrypt moves, reports or extra text kept for seat"),
    ):
        with writing(services.engine) as session:
            for row in session.exec(select(table).where(col(table.game_id) == island)):
                setattr(row, column, b"nothing")
        is_found_and_left(services, island, told)


def test_undecryptable_channel_is_reported(services: Services, city: int) -> None:
    with writing(services.engine) as session:
        session.add(Channel(mark="1", service="Discord", sealed=b"nothing"))
        session.add(Channel(mark="2", service="ntfy", sealed=services.sealer.seal(b"ntfys://room")))
    told = check(services)
    assert told.exit_code == 1
    assert "channel 1 (Discord): cannot decrypt: no matching key" in told.output
    assert "ntfy" not in told.output


def test_orders_that_differ_from_their_commitment_are_found(services: Services, island: int) -> None:
    with writing(services.engine) as session:
        session.exec(select(Envelope)).one().sealed = services.sealer.seal_json(["1 d4", "0" * 32])
    is_found_and_left(services, island, "the orders of seat 0 do not match their commitment")
    write(services, "game", "position", "7", island)
    done = check(services, "--repair")  # repairs everything that is derived
    assert done.exit_code == 1
    assert "position of the game" not in check(services).stdout


def test_seats_that_differ_from_the_lot_are_found(services: Services, city: int) -> None:
    with writing(services.engine) as session:
        one, other = (seat for seat, _ in log.seats(session, session.get_one(Game, city)))
        one.player_id, other.player_id = other.player_id, one.player_id
    is_found_and_left(services, city, "its seats do not match the players in its log")


def test_unreadable_row_does_not_prevent_other_checks(
    services: Services, ann: Player, ben: Player, city: int
) -> None:
    begin(services, "nibble", ann, ben)
    with writing(services.engine) as session:
        session.get_one(Game, city).options = [1]  # type: ignore[assignment]
        session.get_one(Game, city).asked = 7  # type: ignore[assignment]
        session.get_one(Game, city + 1).state = "over"
    lines = check(services).stdout.splitlines()
    assert lines[0].startswith(f"game {city}: it cannot be read: TypeError")
    assert lines[1].startswith(f"game {city + 1}: differs from the log")
    assert check(services, str(city + 1), "--repair").exit_code == 0


@pytest.mark.both
def test_missing_log_and_unknown_game_are_reported(services: Services, city: int) -> None:
    with writing(services.engine) as session:
        game = session.get_one(Game, city)
        game.entries, game.head = 0, ""
        for entry in session.exec(select(Entry).where(Entry.game_id == city)):
            session.delete(entry)
    is_found_and_left(services, city, "it is running, but has no log")
    assert "There is no game 77." in check(services, "77").stderr
    assert check(services, "0").exit_code == 2


def test_repair_clears_the_failure_of_an_intact_game(
    services: Services, city: int, dice: int, failures_meant: None
) -> None:
    """For example after its log was restored from a backup."""
    with writing(services.engine) as session:
        session.execute(delete(Entry).where(col(Entry.game_id) == dice, col(Entry.number) == 2))
        for number in (city, dice):
            failures.note(session, services.now(), failures.PLAYING, Game, number, Damaged(number, "once"))
        failures.note(session, services.now(), "deadline", Game, city, Damaged(city, "too"))
    noted = [("playing", city), ("playing", dice), ("deadline", city)]
    assert check(services).stdout.endswith("Games checked: 2. Repaired: 0. With faults: 1.\n")
    assert noted_troubles(services) == noted
    assert check(services, "--repair").stdout.endswith("Games checked: 2. Repaired: 0. With faults: 1.\n")
    assert noted_troubles(services) == noted[1:]


def noted_troubles(services: Services) -> list[tuple[str, int | None]]:
    with reading(services.engine) as session:
        return [(each.job, each.game_id) for each in session.exec(select(Failure).order_by(col(Failure.id)))]
