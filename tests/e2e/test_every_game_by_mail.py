"""Every game, played to its end by email, and the beginning of each variant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from rules.game import Json
from server.cli import nabu
from server.game.log import log
from server.settings import Settings
from server.store.engines import connect
from tests.support.e2e.games_by_email import Make, Match
from tests.support.e2e.mailboxes import text_of
from tests.support.rules.every_game import QUICK, VARIANTS
from tests.support.server.services import environment_of

ENOUGH = 12
"""The turns after which people resign, in variants that take longer than the quickest of their game."""
_FEW: list[tuple[str, Json]] = [("nebuchadnezzar", {"size": 4}), ("nexus", {"players": 3})]
"""The games for the second database."""


@pytest.fixture
def engine(settings: Settings) -> Iterator[Engine]:
    """The database, to check the stored rows."""
    engine = connect(settings.database_url)
    yield engine
    engine.dispose()


@pytest.mark.long
@pytest.mark.first
@pytest.mark.parametrize(
    ("database", "variants"),
    [pytest.param("sqlite", VARIANTS, id="sqlite"), pytest.param("postgresql", _FEW, id="postgresql")],
)
def test_every_variant_is_played_by_email(
    person: Make, engine: Engine, settings: Settings, tmp_path: Path, variants: list[tuple[str, Json]]
) -> None:
    """Plays all games at the same time with one Nabu, so that games do not wait for each other."""
    matches = [Match(engine, mark, *variant) for mark, variant in enumerate(variants)]

    def play(match: Match) -> None:
        match.begin(person)
        is_whole = (match.rules.name, match.options) in QUICK
        while (game := match.game()).state == "running" and (is_whole or game.turn <= ENOUGH):
            match.play_turn()
        match.give_up()

    with ThreadPoolExecutor(len(matches)) as threads:
        games = [threads.submit(play, match) for match in matches]
    for match, game in zip(matches, games, strict=True):
        game.result()
        check_record(match, settings, tmp_path / f"{match.number}.json")
    passes = [line for match in matches for line in match.lines() if line.get("move") == "pass"]
    assert passes or variants is _FEW, "nobody had to pass, so the report of a pass was not tested"


@pytest.mark.long
def test_two_players_continue_when_the_third_resigns(
    person: Make, engine: Engine, settings: Settings, tmp_path: Path
) -> None:
    match = Match(engine, 1, "nexus", {"players": 3})
    match.begin(person)
    for _ in range(4):
        match.play_turn()
    (moving,) = match.rules.to_move(log.position_of(match.game()))
    leaving = (moving + 1) % 3
    match.people[leaving].answer(match.mails[leaving], "resign")
    match.hear(5)
    assert "You are out of this game" in text_of(match.mails[leaving])
    assert match.lines()[-1] == {"seat": leaving, "leave": "resigned"}
    while match.game().state == "running":
        match.play_turn()
    check_record(match, settings, tmp_path / "record.json")
    result = match.game().result
    assert result is not None
    assert leaving not in result["winners"]
    assert leaving not in [line["seat"] for line in match.lines()[5:]]


def check_record(match: Match, settings: Settings, file: Path) -> None:
    """Check that the game, exported and replayed by the command line, has the stored position and result."""
    shell = CliRunner(env=environment_of(settings))
    exported = shell.invoke(nabu, ["export", str(match.number)])
    assert exported.exit_code == 0, exported.output
    file.write_text(exported.stdout, encoding="utf-8")
    replayed = shell.invoke(nabu, ["replay", "--json", str(file)])
    assert replayed.exit_code == 0, replayed.output
    game, found = match.game(), json.loads(replayed.stdout)
    assert (found["position"], found["result"]) == (game.position, game.result)
    assert shell.invoke(nabu, ["verify", str(file)]).exit_code == 0
