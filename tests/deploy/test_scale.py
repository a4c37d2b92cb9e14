"""Statements about several machines are true: tables, keys, statements by shard, limits counted by process."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import pytest
from sqlmodel import SQLModel, create_engine

from mail.incoming.receiving import LIMITS as SESSIONS
from server.limits import (
    MOST_CHECKED_AT_ONCE,
    MOST_PAGE_STREAMS,
    MOST_PAGE_STREAMS_EACH,
    MOST_PAGE_STREAMS_OF_NETWORK,
    MOST_STREAMS,
    MOST_STREAMS_EACH,
    MOST_STREAMS_OF_NETWORK,
)
from server.processes.services import LINES, Services
from server.settings import Settings
from server.store.statements import prepared_statements
from server.store.statements.prepared_statements import Prepared
from server.web.connections import LIMITS
from tests.support import document_tables
from tests.support.counting import named
from tests.support.database.shards import (
    crossing_references,
    game_column,
    keys_without_game,
    skips_locked,
    unbound,
)
from tests.support.folders import ROOT
from tests.support.mail.moves_by_email import asked_by_a_move, asked_by_reports, games_under_way

PAGE = (ROOT / "deploy" / "scale.md").read_text(encoding="utf-8")
_NAME = re.compile(r"`([\w ]+)`")
_GIVEN = re.compile(r"\bIN \((?:__\[\w+\]|(?:%\(\w+\)s(?:::\w+)?(?:, )?)+)\)")

BY_GAME, EVERYWHERE, LOCAL = (
    set(_NAME.findall(row[1])) - {"id", "game_id"} for row in document_tables.cells(PAGE, "Tables")
)


def test_scale_document_names_the_sharding_of_every_table() -> None:
    assert sorted([*BY_GAME, *EVERYWHERE, *LOCAL]) == sorted(SQLModel.metadata.tables)
    assert all(game_column(name) in SQLModel.metadata.tables[name].columns for name in BY_GAME)


def test_scale_document_lists_tables_with_rows_without_a_game() -> None:
    those = {name for name in BY_GAME if SQLModel.metadata.tables[name].columns[game_column(name)].nullable}
    assert set(_NAME.findall(_point("Rows without a game"))) == those


def test_reference_tables_are_those_that_sharded_tables_refer_to() -> None:
    keys = [key for name in BY_GAME for key in SQLModel.metadata.tables[name].foreign_keys]
    assert {key.column.table.name for key in keys} - BY_GAME == EVERYWHERE


@pytest.mark.parametrize("database", ["postgresql"])
def test_scale_document_lists_statements_of_a_turn_across_games(services: Services) -> None:
    games = games_under_way(services)
    asked = [*asked_by_a_move(services, games), *asked_by_reports(services, games[0], turn=3)]
    found = {_alike(statement): named(statement) for statement in asked if named(statement)}
    for name, statement in prepared_statements.statements("postgresql"):
        found[_alike(_text(services, statement))] = name
    told = [(*_NAME.findall(name), _NAME.findall(free), where) for name, free, where, _ in _statements()]
    crossing = {(name, *unbound(statement)) for statement, name in found.items() if unbound(statement)}
    assert told == [(name, free, _where(free)) for name, *free in sorted(crossing, key=str)]
    assert all(why for *_, why in _statements())
    skipping = {table for statement in found for table in unbound(statement) if skips_locked(statement)}
    assert not skipping & BY_GAME


@pytest.mark.parametrize(
    ("statement", "free"),
    [
        ("SELECT * FROM seat WHERE seat.game_id = 5", []),
        ("SELECT * FROM seat WHERE seat.game_id = %(game)s::BIGINT AND seat.owes FOR UPDATE", []),
        ("SELECT * FROM seat WHERE seat.game_id = 5 OR seat.owes", ["seat"]),
        ("SELECT * FROM seat WHERE seat.game_id != 5", ["seat"]),
        ("SELECT * FROM seat WHERE NOT seat.game_id = 5", ["seat"]),
        ("SELECT * FROM seat WHERE seat.game_id IN (5, 6)", ["seat"]),
        ("SELECT * FROM seat AS s JOIN game ON game.id = s.game_id WHERE game.id = 4", []),
        ("SELECT * FROM seat JOIN game ON game.id = seat.game_id WHERE game.state = 'over'", ["game", "seat"]),
        ("SELECT * FROM seat JOIN player ON player.id = seat.player_id WHERE seat.game_id = 4", ["player"]),
        ("SELECT * FROM game LEFT JOIN seat ON seat.game_id = game.id WHERE game.id = 4", []),
        ("SELECT * FROM game LEFT JOIN seat ON seat.game_id = 4", ["game", "seat"]),
        ("SELECT * FROM game WHERE EXISTS (SELECT 1 FROM seat WHERE seat.game_id = game.id)", ["game", "seat"]),
        (
            "SELECT * FROM game WHERE game.id = (SELECT 4 FROM seat WHERE seat.game_id = game.id)",
            ["game", "seat"],
        ),
        (
            "SELECT * FROM game WHERE NOT EXISTS "
            "(SELECT 1 FROM seat WHERE seat.game_id = game.id AND seat.game_id = 4)",
            ["game"],
        ),
        ("INSERT INTO entry (game_id, number) VALUES (4, 1)", []),
        ("INSERT INTO ticket (mark) VALUES ('x')", ["ticket"]),
        ("INSERT INTO entry (game_id) SELECT seat.game_id FROM seat", ["entry", "seat"]),
        ("UPDATE game SET turn = 1 WHERE game.id = 4", []),
        ("DELETE FROM gift WHERE gift.seat = 1", ["gift"]),
    ],
)
def test_shard_check_recognizes_statements_of_one_game(statement: str, free: list[str]) -> None:
    assert unbound(statement) == free


def test_scale_document_lists_keys_without_the_game() -> None:
    assert set(re.findall(r"`(\w+ \([\w, ]+\))`", _point("Keys"))) == keys_without_game(BY_GAME)


def test_scale_document_lists_references_between_shards() -> None:
    assert set(re.findall(r"`(\w+\.\w+)`", _point("References"))) == crossing_references(BY_GAME, EVERYWHERE)


def test_scale_document_lists_statements_that_skip_locked_rows() -> None:
    skipping = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "server").rglob("*.py")
        if "skip_locked=True" in file.read_text(encoding="utf-8")
    }
    assert set(re.findall(r"`(server/[\w/]+\.py)`", _point("Locks"))) == skipping


def test_scale_document_lists_limits_that_count_by_process() -> None:
    pool = create_engine("postgresql+psycopg://").pool
    told = [
        tuple(map(int, re.findall(r"\d+", much)))
        for _, much, _ in document_tables.cells(PAGE, "Limits per process")
    ]
    assert told == [
        (Settings.model_fields["api_rate"].default,),
        (MOST_STREAMS, MOST_STREAMS_EACH, MOST_STREAMS_OF_NETWORK),
        (MOST_PAGE_STREAMS, MOST_PAGE_STREAMS_EACH, MOST_PAGE_STREAMS_OF_NETWORK),
        (LIMITS.connections.most, LIMITS.connections.each),
        (LIMITS.opened_a_second, LIMITS.opened),
        (MOST_CHECKED_AT_ONCE,),
        (SESSIONS.connections.most, SESSIONS.connections.each),
        (SESSIONS.opened_a_second, SESSIONS.opened),
        (LINES,),
        (pool.size() + pool._max_overflow + 1,),  # type: ignore[attr-defined]  # and one to listen
    ]


def _statements() -> list[list[str]]:
    return document_tables.cells(PAGE, "Statements of a turn")


def _where(free: Collection[str]) -> str:
    """On which nodes the rows of these tables are."""
    if not LOCAL.isdisjoint(free):
        return "one node"
    return "every node has it" if EVERYWHERE.issuperset(free) else "every shard"


def _text(services: Services, asked: Prepared[*tuple[Any, ...]]) -> str:
    return str(asked.statement.compile(services.engine))  # type: ignore[attr-defined]


def _alike(statement: str) -> str:
    """The same text however many values are given."""
    return " ".join(_GIVEN.sub("IN (…)", statement).split())


def _point(name: str) -> str:
    """Return the text of the page under one of the points that would have to change."""
    return PAGE.partition(f"- **{name}.**")[2].partition("\n- ")[0]
