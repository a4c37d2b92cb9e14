"""Reports of abuse: administrators and moderators see and resolve them."""

from __future__ import annotations

from flask import Flask
from sqlmodel import select

from server.admin.audit import done
from server.admin.roles import Role
from server.game.messages import messages
from server.game.spectators import abuse_reports
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import AbuseReport, Game, GameMessage, Player, Seat
from server.store.outbox import ActionContext
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.web.administrators import entered
from tests.support.web.client import readable

WORDS = "you <fool>"


def reported(services: Services, speaker: Player, by: Player) -> int:
    """Return the number of a game in which one player has reported a message of another."""
    number = begin(services, "nibble", speaker, by)
    with writing(services.engine) as session:
        action, game = ActionContext(session, services.sealer, services.now()), session.get_one(Game, number)
        query = select(Seat.number).where(Seat.game_id == number, Seat.player_id == speaker.id)
        messages.keep(action, game, session.exec(query).one(), WORDS)
        session.flush()
        said = session.exec(select(GameMessage)).one()
        abuse_reports.report(action, session.get_one(Player, by.id), said, "This hurts.")
    return number


def test_moderator_reads_and_resolves_a_report(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = reported(services, ann, ben)
    olga = add_player(services, "olga@example.org", "Olga")
    browser = entered(app, services, olga, Role.MODERATOR)
    assert "Reported messages 1" in browser.text("/admin")
    page = browser.text("/admin/complaints")
    for words in (f"in game {game} , in turn 1:", WORDS, "Ben reported it", "This hurts."):
        assert words in page
    with reading(services.engine) as session:
        number = session.exec(select(AbuseReport.id)).one()
    assert browser.send(f"/admin/complaints/{number}/done").status_code == 303
    again = browser.send(f"/admin/complaints/{number}/done")
    assert again.status_code == 409
    assert "This report is already resolved" in readable(again)
    assert "There are no reported messages." in browser.text("/admin/complaints")
    with reading(services.engine) as session:
        last = done(session)[0]
        assert (last.by, last.what, last.player, last.game) == (
            "Olga",
            "resolved a report of abuse",
            "Ann",
            game,
        )


def test_spam_complaints_are_listed(app: Flask, services: Services, ann: Player) -> None:
    zoe = add_player(services, "zoe@example.org", "Zoe")
    with writing(services.engine) as session:
        session.get_one(Player, zoe.id).complained_at = services.now()
    assert "Spam complaints" in entered(app, services, ann).text("/admin/complaints")
