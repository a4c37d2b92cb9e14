"""The cost of repeated work does not grow with the number of games, on both databases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from server.bench import growth
from server.bench.filling.many_games import full
from server.bench.harness.databases import new_database
from tests.support import query_plans
from tests.support.counting import postgres_rows, sqlite_steps
from tests.support.database.postgres import Server
from tests.support.query_plans import QueryPlan

_FEW, _MANY = 600, 3000
"""The sizes of the databases; the busiest player has the same number of games in both."""
_AT_MOST = 1.2
"""The highest accepted ratio of costs."""
_BY_CHANCE = 15
"""Hundreds of SQLite's instructions, or rows of PostgreSQL's, by which two runs may differ."""
_AS_IF_LARGE = "&options=" + "%20".join(
    f"-c%20enable_{way}%3Doff" for way in ("seqscan", "mergejoin", "hashjoin")
)
"""Makes PostgreSQL plan as if tables were so large that scanning one takes long."""


@dataclass(frozen=True)
class Found:
    """The cost of one kind of work with few games and with many, and the query plans with many."""

    few: int
    many: int
    plans: list[QueryPlan]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], scope="module")
def found(request: pytest.FixtureRequest) -> Mapping[str, Found]:
    """All work that `nabu bench growth` measures, by name."""
    server: str | None = None
    if request.param == "postgresql":
        postgres: Server = request.getfixturevalue("postgres")
        server = postgres.url("postgres") + _AS_IF_LARGE
    few, many = (dict(_taken(server, games)) for games in (_FEW, _MANY))
    return {name: Found(few[name][0], taken, asked) for name, (taken, asked) in many.items()}


def _taken(server: str | None, games: int) -> Iterator[tuple[str, tuple[int, list[QueryPlan]]]]:
    counting = sqlite_steps if server is None else postgres_rows
    with new_database(server) as url, full(url, games) as filled, growth.works(filled, 1) as works:
        for name, work in works.items():
            work()
            with counting(filled.services) as taken:
                work()
            yield name, (taken[0], query_plans.query_plans(filled.services.engine, work))


@pytest.mark.long
def test_costs_do_not_grow_with_the_number_of_games(found: Mapping[str, Found]) -> None:
    grown = {name: each for name, each in found.items() if each.many > _AT_MOST * each.few + _BY_CHANCE}
    assert {name: (each.few, each.many) for name, each in grown.items()} == {}


def test_no_statement_scans_a_growing_table(found: Mapping[str, Found]) -> None:
    scanning = [(name, plan) for name, each in found.items() for plan in each.plans if plan.scans]
    assert scanning == []


def test_every_measured_action_queries_the_database(found: Mapping[str, Found]) -> None:
    assert {name for name, each in found.items() if not each.plans} == set()
