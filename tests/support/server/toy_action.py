"""An action and its command: available by email, button and API, and listed in help and tables.

`toys` runs this. It adds them in the two places that CONTRIBUTING.md names: `IN_GAMES` and `ACTIONS`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from server.commands import game_words
from server.commands.arguments import WORD
from server.commands.word import Effect, Topic, When, Word

ADDRESS = "ann@example.org"
SALUTE = Word(
    "salute NAME",
    "salute somebody",
    WORD,
    Topic.PLAYING,
    "salute Ben",
    effect=Effect.READS,
    when=frozenset({When.BEGUN}),
)
# Before the imports below, which read it.
vars(game_words)["IN_GAMES"] = (*game_words.IN_GAMES, SALUTE)

from server.actions import play  # noqa: E402
from server.actions.action import Action, Arguments, GameActor, Outcome  # noqa: E402


class SaluteArguments(Arguments):
    """The argument: the player to salute."""

    whom: str = "everybody"


def _salute(here: GameActor, salute: SaluteArguments) -> Outcome:
    return Outcome(f"{here.player.name} salutes {salute.whom} in turn {here.turn} {here.door.value}.")


TOY = Action(
    name="salute",
    word=SALUTE,
    arguments=SaluteArguments,
    act=_salute,
    button=lambda view: f"Salute in turn {view.turn}",
)
vars(play)["ACTIONS"] = (*play.ACTIONS, TOY)


def main(folder: Path) -> None:
    """Carry out the action in every way."""
    from server.commands.vocabulary import REPLY
    from server.game.log import log
    from server.processes.services import open_services
    from server.store.db import reading
    from server.store.models import Game
    from server.store.tokens import ReplyToken
    from server.web import create_app
    from tests.support.document_tables import rows, with_actions
    from tests.support.server.emails import receive
    from tests.support.server.games import begin
    from tests.support.server.players import add_player
    from tests.support.server.services import settings_for, sqlite_database
    from tests.support.web.api_client import api_client
    from tests.support.web.client import logged_in, readable

    services = open_services(
        settings_for(sqlite_database(folder)), lambda: datetime(2026, 3, 1, 12, tzinfo=UTC)
    )
    app = create_app(services)
    ann, ben = add_player(services, ADDRESS, "Ann"), add_player(services, "ben@example.org", "Ben")
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with reading(services.engine) as session:
        seat = next(
            seat.number
            for seat, player in log.seats(session, session.get_one(Game, number))
            if player.email == ADDRESS
        )

    token = services.tokens.write(ReplyToken(number, seat, 1))
    (answer,) = receive(services, ADDRESS, f"play+{token}@games.example.org", "salute Ben")
    assert "Ann salutes Ben in turn 1 by email." in answer.words
    (answer,) = receive(services, ADDRESS, f"play+{token}@games.example.org", "help salute")
    assert "salute somebody" in answer.words
    assert any("salute NAME" in row for row in rows(REPLY))

    browser, page = logged_in(app, services, ann), f"/games/{number}"
    assert f'action="{page}/salute"' in browser.get(page).text
    assert "Salute in turn 1" in browser.text(page)
    assert browser.send(f"{page}/salute", whom="Cleo").location == page
    assert "Ann salutes Cleo in turn 1 on the web." in browser.text(page)
    assert browser.send("/games/99/salute").status_code == 404
    stranger = logged_in(app, services, add_player(services, "dan@example.org", "Dan"))
    refused = stranger.send(f"{page}/salute")
    assert (refused.status_code, "You have no seat" in readable(refused)) == (403, True)

    program = api_client(app, services, ann)
    assert program.do(f"{page}/salute")["detail"] == "Ann salutes everybody in turn 1 through the API."
    assert program.post(f"{page}/salute", whom=3).status_code == 422
    document = program.read("/openapi.json")
    operation = document["paths"]["/api/v1/games/{number}/salute"]["post"]
    assert operation["summary"] == "Salute somebody."
    assert "POST /games/7/salute" in with_actions("| action | takes | does |\n|---|---|---|\n| x |\n")
    services.close()
