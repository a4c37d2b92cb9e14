"""Damage to stored games, written into the database directly."""

from __future__ import annotations

import json

from sqlalchemy import delete
from sqlmodel import col

from server.game.integrity import log_check
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Entry


def write_raw(services: Services, table: str, column: str, value: str, condition: str) -> None:
    """Write into the database directly."""
    is_text = services.engine.dialect.name == "sqlite" or column in ("checksum", "hash", "head")
    value = f"'{value}'" if is_text else f"'{value}'::json"
    with services.engine.execution_options(writing=True).begin() as connection:
        connection.exec_driver_sql(f"UPDATE {table} SET {column} = {value} WHERE {condition}")  # noqa: S608


def change_body(services: Services, number: int) -> None:
    """Replace the last move in the log by another legal one."""
    body = json.dumps({"type": "turn", "turn": 3, "line": {"seat": 0, "move": "b1"}})
    write_raw(services, "entry", "body", body, f"game_id = {number} AND turn = 3")


def garble_body(services: Services, number: int) -> None:
    value = '{"type": "tu' if services.engine.dialect.name == "sqlite" else "7"
    write_raw(services, "entry", "body", value, f"game_id = {number} AND turn = 3")


def change_hash(services: Services, number: int) -> None:
    write_raw(services, "entry", "hash", "0" * 64, f"game_id = {number} AND turn = 3")


def change_head(services: Services, number: int) -> None:
    write_raw(services, "game", "head", "0" * 64, f"id = {number}")


def change_hash_before(services: Services, number: int) -> None:
    write_raw(services, "entry", "hash", "0" * 64, f"game_id = {number} AND turn = 2")


def lose_entry(services: Services, number: int) -> None:
    with writing(services.engine) as session:
        session.execute(delete(Entry).where(col(Entry.game_id) == number, col(Entry.turn) == 3))


DAMAGES = [change_body, garble_body, change_hash, change_head, change_hash_before, lose_entry]


def is_clean(services: Services, number: int) -> bool:
    return not log_check.check(services.engine, services.sealer, number)
