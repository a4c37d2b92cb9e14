"""Every page of the web and of the demo, in all states that people see."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlmodel import col, select

from mail.incoming.receiving import Received
from rules.line import Line
from rules.registry import RULES
from server.accounts import account_changes, players
from server.accounts.access import UNDO_WITHIN
from server.accounts.login import sessions
from server.accounts.login.links import NewPlayer, Watching
from server.admin import roles
from server.admin.audit import AdminAction
from server.admin.roles import Role
from server.demo.pages import create_mailbox
from server.demo.postbox import Postbox
from server.jobs.table import COUNTING, SERIES
from server.limits import LONGEST_MESSAGE
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.account import AccountChanged
from server.store.models import Browser as AllowedBrowser
from server.store.models import Failure, Inbox, Outbox, Player
from server.store.outbox import ActionContext
from server.store.tokens import ConfirmationToken
from server.tournaments.plan import FORMS
from server.web.shared.colour_scheme import WAYS
from server.web.shared.documents import HELP
from tests.pictures.coached_pages import of_the_computer
from tests.pictures.letters import TURNS
from tests.pictures.place import of_a_place
from tests.pictures.site import GameInBrowsers, Site
from tests.support.server.emails import receive, reply_address
from tests.support.server.games import open_game
from tests.support.server.players import add_player
from tests.support.server.ratings import set_rating
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, first_by_name
from tests.support.web.administrators import shown
from tests.support.web.client import logged_in
from tests.support.web.passkeys import Device as Authenticator
from tests.support.web.push_service import Device

_ADDRESSES = {
    "home": "/",
    "sent": "/sent",
    "enter-failed": "/enter/x",
    "error": "/nowhere",
    "help": "/help",
    **{f"help-{name}": f"/help/{name}" for name in HELP},
    "about": "/about",
    "privacy": "/privacy",
    "terms": "/terms",
    "verify": "/verify",
    "verify-how": "/verify/how",
    "yes-answered": "/yes/x",
    **{f"rules-{game_type}": f"/rules/{game_type}" for game_type in RULES},
    "worked": "/rules/nexus/game?turn=8",
    "try": "/rules/nelaxtam/try",
}
"""Pages that look the same to everyone."""
_ADDRESSES_OF_PLAYERS = {
    "new-game": "/games/new",
    "settings": "/settings",
    "logins": "/settings/logins",
    "tokens": "/settings/tokens",
    "addresses": "/settings/addresses",
    **{f"challenge-{game_type}": f"/games/new/{game_type}" for game_type in RULES},
}
_ADDRESSES_OF_STAFF = {
    "admin": "/admin",
    "admin-roles": "/admin/roles",
    "admin-complaints": "/admin/complaints",
    "admin-players": "/admin/players",
    "admin-players-mistake": "/admin/players?wanted=nobody@example.org",
    "admin-player": "/admin/players/2",
    "admin-games": "/admin/games",
    "admin-games-mistake": "/admin/games?player=Nobody",
    "admin-game": "/admin/games/1",
    "admin-tournaments": "/admin/tournaments",
    "admin-tournament": "/admin/tournaments/2",
    "admin-quarantine": "/admin/quarantine",
    "admin-outbox": "/admin/outbox",
    "admin-bounces": "/admin/bounces",
    "admin-announcements": "/admin/announcements",
    "admin-registration": "/admin/registration",
    "admin-log": "/admin/log",
}
_SAID = "Sorry for the wait, it was a long week."


def every_page(services: Services) -> Iterator[tuple[str, str]]:
    """Yield the pages by the names of their pictures."""
    site = Site(services)
    yield "games-none", site.ann.get("/games").text
    yield from _for_everybody(site)
    yield from _at_the_end(site)
    for game_type in RULES:
        yield from _of_game_type(site, game_type)
    yield from _of_one_game(site)
    yield from _asked(site)
    yield from _changed(site)
    for name, address in _ADDRESSES_OF_PLAYERS.items():
        yield name, site.ann.get(address).text
    yield from _with_passkeys(site)
    _allow(site)
    yield "settings-browsers", site.ann.get("/settings").text
    yield "settings-mistake", site.ann.send("/settings", zone="Atlantis").text
    yield "challenge-mistake", site.ann.send("/games/new/nelaxtam", opponents="Nobody", time="soon").text
    yield "games", site.ben.get("/games").text
    yield from _watched(site)
    yield "archive", site.nobody.get("/archive").text
    for player, mu in zip(site.people, (31.0, 27.5), strict=True):
        set_rating(site.services, player, mu)
    yield "ranking", site.ann.get("/ranking/nibble").text
    yield from _waiting(site)
    yield from _of_tournaments(site)
    yield from of_a_place(site)
    yield from of_the_computer(site)
    yield from _of_staff(site)
    yield from _coloured(site)
    yield from _of_the_demo(site)
    yield from _stopped(site)
    yield from _undone(site)


def _for_everybody(site: Site) -> Iterator[tuple[str, str]]:
    for name, address in _ADDRESSES.items():
        yield name, site.nobody.get(address).text
    begun = re.search(r'name="position" value="([^"]+)"', site.nobody.get("/rules/nebuchadnezzar/try").text)
    assert begun is not None
    wrong = {"position": unescape(begun[1]), "text": "thanks!"}
    yield "try-mistake", site.nobody.send("/rules/nebuchadnezzar/try", **wrong).text
    yield "home-mistake", site.nobody.send("/register", name="", email="ann").text
    with reading(site.services.engine) as session:
        known = site.services.logins.write(session.get_one(Player, site.people[0].id))
    new = site.services.logins.write_new(NewPlayer("cleo@example.org", "Cleo"))
    yield "enter", site.nobody.get(f"/enter/{known}").text
    yield "enter-new", site.nobody.get(f"/enter/{new}").text
    yield "enter-mistake", site.nobody.send(f"/enter/{new}", name="Ann").text


def _of_game_type(site: Site, game_type: str) -> Iterator[tuple[str, str]]:
    """Yield the page of a game before it starts, while a move is being made, and after the move."""
    yield f"{game_type}-invited", site.ben.get(site.challenge(game_type)).text
    table = GameInBrowsers(site, game_type, TURNS[game_type])
    table.post("say", text=_SAID)
    yield f"{game_type}-turn", table.mover.get(table.address).text
    move = table.long_move()
    picks = list(table.rules.picks_of(table.position, table.seat, move))
    if len(picks) > 1:
        yield f"{game_type}-picked", table.post("try", pick=picks[: len(picks) // 2])
    yield f"{game_type}-made", table.post("try", pick=picks)
    if table.rules.simultaneous:
        table.post("move", text=table.rules.format(move))
        yield f"{game_type}-sealed", table.mover.get(table.address).text
    yield f"{game_type}-waits", table.other.get(table.address).text
    yield f"{game_type}-analysis", table.other.get(f"{table.address}/analysis?turn=1").text


def _of_one_game(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the states that the pages of all games share."""
    yield "game-challenged", site.ann.get(site.challenge("nebuchadnezzar")).text
    yield from _countered(site)
    yield from _in_series(site)
    table = GameInBrowsers(site, "nebuchadnezzar", 8)
    yield "game-watched", site.nobody.get(table.address).text
    yield "game-past", table.mover.get(f"{table.address}?turn=3").text
    table.mover.get(table.address)
    yield from _tried(table)
    table.play(4)
    yield "game-news", table.mover.get(table.address).text
    yield "game-resign", table.mover.get(f"{table.address}/resign").text
    yield "game-mistake", table.post("move", text="thanks!")
    legal = table.rules.examples(table.position, table.seat)[0]
    yield "game-meant", table.post("try", text=f"{legal}0")
    yield "game-say-mistake", table.post("say", text="x" * (LONGEST_MESSAGE + 1))
    wrong = {"turn": table.turn, "text": "if c3 then nothing"}
    yield "game-conditions-mistake", table.other.send(f"{table.address}/conditions", **wrong).text
    table.post("mute", days=5)
    table.post("draw")
    yield "game-muted", table.mover.get(table.address).text
    yield "game-draw-offered", table.other.get(table.address).text
    table.post("say", text=_SAID)
    yield "report-words", table.other.get(f"{table.address}/said/1/report").text


def _countered(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a counter-offer to a challenge."""
    challenge = site.challenge("nelaxtam")
    yield "counter", site.ben.get(f"{challenge}/counter").text
    yield "counter-mistake", site.ben.send(f"{challenge}/counter", time="soon").text
    proposed = site.ben.send(f"{challenge}/counter", time="1d", rated="off").location
    yield "game-countered", site.ann.get(proposed).text
    yield "game-replaced", site.ann.get(challenge).text


def _in_series(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a series of games, in the second of which no move was made."""
    table = GameInBrowsers(site, "nibble", 4, games=3)
    table.post("resign")
    yield "series-between", table.other.get(table.address).text
    SERIES.run_next(site.services.engine, site.services.sealer, site.services.now())
    page = table.other.get(table.address).text
    yield "series-over", page
    (following,) = re.findall(r'href="([^"]+)">The next game of the series', page)
    yield "series", table.other.get(following).text


def _tried(table: GameInBrowsers) -> Iterator[tuple[str, str]]:
    """Yield lines on the analysis board: one that can be kept, and one with an error."""
    line: Line[Any, Any] = Line(table.rules, table.position)
    for seat in (table.seat, 1 - table.seat):
        line = line.then(table.rules.format(next(table.rules.moves(line.position, seat))))
    yield "analysis-line", table.analysis(part=list(line.parts))
    yield "analysis-mistake", table.analysis(text="thanks!")
    fields = {"turn": table.turn - 1, "part": list(line.parts), "comment": "The corner looks weak."}
    kept = table.other.send(f"{table.address}/variations", **fields)
    table.other.send(f"{kept.location}/share")
    page = table.other.get(kept.location).text
    yield "analysis-kept", page
    (link,) = re.findall(r'readonly value="https?://[^/"]+(/games/[^"]+)"', page)
    yield "variation", table.other.get(link).text


def _at_the_end(site: Site) -> Iterator[tuple[str, str]]:
    """Yield finished games, and the proof of one."""
    for game_type in RULES:
        table = GameInBrowsers(site, game_type, TURNS[game_type] // 2)
        table.post("resign")
        yield f"{game_type}-over", table.other.get(table.address).text
    yield from _players(site)
    yield "game-lost", table.mover.get(table.address).text
    record = site.nobody.get(f"{table.address}/record.json").text
    yield "verify-right", site.nobody.send("/verify", record=record).text
    changed = json.dumps({**json.loads(record), "result": None})
    yield "verify-wrong", site.nobody.send("/verify", record=changed).text
    yield "verify-mistake", site.nobody.send("/verify", record="").text


def _players(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages of players with finished games, and of one without."""
    assert isinstance(site.services.now, Clock)
    for turns in (5, 6, 9):
        site.services.now.advance(days=3)
        GameInBrowsers(site, "nibble", turns).post("resign")
    site.ann, site.ben = (logged_in(site.app, site.services, player) for player in site.people)
    while COUNTING.run_next(site.services.engine, site.services.sealer, site.services.now()):
        pass
    site.ann.send("/settings", bio="Mostly on Sunday evenings, with tea.", languages="English, Akkadian")
    yield "player", site.ben.get("/player/Ann").text
    yield "player-own", site.ann.get("/player/Ann").text
    add_player(site.services, "dora@example.org", "Dora")
    yield "player-new", site.nobody.get("/player/Dora").text


def _asked(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the question about an email from another address."""
    match = site.match("nebuchadnezzar")
    recipient = reply_address(site.services, match.number, 0, 1)
    receive(site.services, "eve@example.com", recipient, "resign")
    with reading(site.services.engine) as session:
        secret = site.services.tokens.write(ConfirmationToken(session.exec(select(Inbox.id)).one() or 0))
    yield "yes", site.nobody.get(f"/yes/{secret}").text
    yield "games-asked", match.browsers[0].get("/games").text
    yield "yes-done", site.nobody.send(f"/yes/{secret}").text


def _changed(site: Site) -> Iterator[tuple[str, str]]:
    """Yield another address that is confirmed by email, and an account that is to be deleted."""
    for what in ("add", "main"):
        site.ann.send("/settings/addresses", email="ann@home.example", do=what)
    site.ann.send("/settings/delete")
    yield "addresses-waiting", site.ann.get("/settings/addresses").text
    yield "addresses-mistake", site.ann.send("/settings/addresses", email="ann", do="add").text
    with reading(site.services.engine) as session:
        waiting = account_changes.waiting_changes(
            session, session.get_one(Player, site.people[0].id), site.services.now()
        )
        numbers = {change.what: change.id or 0 for change in waiting}
    for what, address in (
        (account_changes.ADD, "ann@home.example"),
        (account_changes.MAIN, "ann@example.org"),
        (account_changes.DELETE, "ann@example.org"),
    ):
        secret = site.services.logins.write_change(numbers[what], address)
        yield f"confirm-{what}", site.nobody.get(f"/confirm/{secret}").text
        yield f"confirm-{what}-no", site.nobody.send(f"/confirm/{secret}", answer="no").text
    yield "confirm-answered", site.nobody.get(f"/confirm/{secret}").text


def _with_passkeys(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a valid and an invalid new passkey, a login that is too old, and a failed login."""
    device = Authenticator(site.services.settings.base_url, "games.example.org")
    ask, add = "/settings/passkeys/ask", "/settings/passkeys"
    site.ann.send("/settings/logins", login="others")
    site.ann.send(add, credential=device.make(site.ann.send(ask).get_json()), name="Phone")
    yield "logins-passkeys", site.ann.get("/settings/logins").text
    yield "tokens-made", site.ann.send("/settings/tokens", name="My robot").text
    yield "tokens-mistake", site.ann.send("/settings/tokens", name="").text
    yield "logins-mistake", site.ann.send(add, credential="{}", name="Key").text
    site.ann.send("/settings/feeds", feeds="new")
    yield "settings-feeds", site.ann.get("/settings").text
    with writing(site.services.engine) as session:
        for login in sessions.list_logins(session, site.people[0]):
            login.since -= sessions.FRESH * 2
    yield "logins-stale", site.ann.get("/settings/logins").text
    yield "tokens-stale", site.ann.get("/settings/tokens").text
    yield "addresses-stale", site.ann.get("/settings/addresses").text
    yield "home-passkey-mistake", site.nobody.send("/login/passkey", credential="{}").text


def _waiting(site: Site) -> Iterator[tuple[str, str]]:
    """Yield open games and their pages."""
    yield "lobby-empty", site.nobody.get("/lobby").text
    ann, ben = site.people
    tables = [
        open_game(site.services, ann, "nexus", players=3, time="1d", weekends="off", always=2),
        *(open_game(site.services, ben, game_type) for game_type in RULES),
    ]
    tables.append(open_game(site.services, ben, "nibble", **{"rating": "1400-1700", "in-time": "90"}))
    yield "lobby", site.ann.get("/lobby").text
    yield "game-open-misfit", site.ann.get(f"/games/{tables[-1]}").text
    yield "lobby-watched", site.nobody.get("/lobby").text
    for name, browser in (("own", site.ann), ("other", site.ben), ("watched", site.nobody)):
        yield f"game-open-{name}", browser.get(f"/games/{tables[0]}").text
    waits, begins = (open_game(site.services, ann, "nexus", players=3, always=2) for _ in range(2))
    for number in (waits, begins):
        site.ben.send(f"/games/{number}/join")
        site.ben.send(f"/games/{number}/start")
    site.ann.send(f"/games/{begins}/start")
    yield "game-offered", site.ann.get(f"/games/{begins}").text
    yield "lobby-enough", site.ben.get("/lobby").text
    for name, browser in (("asked", site.ann), ("agreed", site.ben)):
        yield f"game-open-{name}", browser.get(f"/games/{waits}").text


def _allow(site: Site) -> None:
    """Allow notifications for Ann in two browsers, with a recent notification in one of them."""
    for number, agent in enumerate(("Firefox/140.0 (Android 15; Mobile)", "Safari/605.1 (iPhone)")):
        device = Device(f"https://push.example.com/{number}")
        fields = {"csrf_token": site.ann.token(), **device.fields(site.services.push_keys.public)}
        site.ann.client.post("/settings/browsers", data=fields, headers={"User-Agent": agent})
    with writing(site.services.engine) as session:
        session.exec(select(AllowedBrowser).limit(1)).one().told_at = site.services.now()


def _coloured(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a game, and the choice of colours, in each colour scheme."""
    game = GameInBrowsers(site, "nelaxtam", TURNS["nelaxtam"])
    yield "colours", game.mover.get("/colours").text
    for way in WAYS[1:]:
        game.mover.send("/colours", colours=way.name)
        yield f"colours-{way.name}", game.mover.get("/colours").text
        yield f"nelaxtam-{way.name}", game.mover.get(game.address).text


def _watched(site: Site) -> Iterator[tuple[str, str]]:
    """Yield what Wanda watches, and the pages to stop it."""
    wanda = logged_in(site.app, site.services, add_player(site.services, "wanda@example.org", "Wanda"))
    yield "watching-none", wanda.get("/watching").text
    match = site.match("nibble")
    for which in (str(match.number), "Ann"):
        wanda.send("/settings/watch", name=which)
    yield "watching", wanda.get("/watching").text
    yield "game-watched-by-mail", wanda.get(match.address).text
    address = f"/unwatch/{site.services.logins.write_unwatch(Watching(0, match.number, None))}"
    yield "unwatch", site.nobody.get(address).text
    yield "unwatched", site.nobody.send(address).text


def _undone(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a change of Ann's account that she undoes, because she did not make it."""
    ann, now = site.people[0], site.services.now()
    changed = AccountChanged(players.identity(ann), "passkey", "Phone", "", now, ann.email)
    address = f"/undo/{site.services.logins.write_undo(changed)}"
    yield "undo", site.nobody.get(address).text
    yield "undone", site.nobody.send(address).text
    late = replace(changed, at=now - UNDO_WITHIN - timedelta(days=1))
    yield "undo-late", site.nobody.get(f"/undo/{site.services.logins.write_undo(late)}").text


def _stopped(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages to stop all email."""
    address = f"/stop/{site.services.logins.write_stop(players.identity(site.people[0]))}"
    yield "stop", site.nobody.get(address).text
    yield "stopped", site.nobody.send(address).text
    yield "settings-stopped", site.ann.get("/settings").text


def _report(site: Site) -> None:
    """Let Ann report a message of Ben in a game."""
    table = GameInBrowsers(site, "nelaxtam", 2)
    site.ben.send(f"{table.address}/say", turn=table.turn, text="You play like my grandmother.")
    site.ann.send(f"{table.address}/said/1/report", why="We are not in kindergarten.")


def _troubles(site: Site) -> int:
    """Quarantine an email, delay and fail others, and stop those to a player; return the first one's number."""
    receive(site.services, "eve@example.com", "postmaster@games.example.org", "Is anybody there?")
    with writing(site.services.engine) as session:
        held = session.exec(select(Inbox).order_by(col(Inbox.id).desc()).limit(1)).one()
        held.state, held.why = "quarantined", "KeyError at read, line 41"
        mails = session.exec(select(Outbox).order_by(col(Outbox.id)).limit(2)).all()
        for mail, state in zip(mails, ("queued", "failed"), strict=True):
            mail.state, mail.attempts, mail.error = state, 3, "451 4.7.1 Greylisted, come back later"
        ben = session.get_one(Player, site.people[1].id)
        now, why = site.services.now(), "UnknownKey at open, line 41"
        ben.suspended_at, ben.complained_at, ben.bounce_score = now, now, 5
        session.add(Failure(job="deadline", game_id=1, what=why, since=now, due_at=now))
        return held.id or 0


def _of_tournaments(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a tournament of each form before, during and after it, the lists, and the form for a new one."""
    yield "tournaments-none", site.ann.get("/tournaments").text
    yield "tournament-games", site.ann.get("/tournaments/new").text
    yield "tournament-form", site.ann.get("/tournaments/new/nelaxtam").text
    yield (
        "tournament-mistake",
        site.ann.send("/tournaments/new/nibble", format="swiss", places="1", name="Cup").text,
    )
    assert isinstance(site.services.now, Clock)
    for maker, form in zip(NAMES, FORMS, strict=False):
        field = Field(site.services, site.services.now, maker=maker, form=form, places="5")
        address = f"/tournaments/{field.number}"
        field.enter(*NAMES[1:5])
        yield f"tournament-{form}-open", site.ann.get(address).text
        if form == "swiss":
            yield "tournaments-open", site.nobody.get("/tournaments").text
        field.enter(NAMES[5], *(NAMES[6:7] if form == "swiss" else ()))
        field.tick()
        yield f"tournament-{form}-begun", site.ben.get(address).text
        field.play_round(lambda two: "" if "Cleo" in two else min(two))
        yield f"tournament-{form}", site.ben.get(address).text
        if form == "knock-out":
            while field.going_on():
                field.play_round(first_by_name)
            yield "tournament-over", site.nobody.get(address).text
    yield "tournaments", site.nobody.get("/tournaments").text
    field = Field(site.services, site.services.now, form="round-robin", places="8-9")
    site.ann.send("/settings/block", name=NAMES[3])
    field.enter(*NAMES[:9])
    site.ann.send(f"/tournaments/{field.number}/leave")
    field.enter(NAMES[9])
    yield "tournament-full", site.ann.get(f"/tournaments/{field.number}").text
    site.ann.send(f"/tournaments/{field.number}/join")
    yield "tournament-waiting", site.ann.get(f"/tournaments/{field.number}").text
    site.ann.send(f"/tournaments/{field.number}/cancel")
    yield "tournament-cancelled", site.ann.get(f"/tournaments/{field.number}").text


def _of_staff(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages of an administrator: the second factor and all sections."""
    olga = add_player(site.services, "olga@example.org", "Olga")
    with writing(site.services.engine) as session:
        admin_action = AdminAction(ActionContext(session, site.services.sealer, site.services.now()))
        roles.give(admin_action, session.get_one(Player, olga.id), Role.MODERATOR)
    browser = logged_in(site.app, site.services, olga)
    yield "admin-factor", browser.get("/admin/enter").text
    browser.send("/admin/factor")
    page = browser.get("/admin/enter").text
    yield "admin-key", page
    (key,) = re.findall(r"<code>([A-Z2-7]{32})</code>", page)
    yield "admin-recovery", browser.send("/admin/factor/confirm", code=shown(site.services, key)).text
    yield "admin-code", logged_in(site.app, site.services, olga).send("/admin/enter", code="1").text
    yield "admin-moderator", browser.get("/admin").text
    yield "admin-factor-mistake", browser.send("/admin/factor", code="1").text
    with writing(site.services.engine) as session:
        admin_action = AdminAction(ActionContext(session, site.services.sealer, site.services.now()))
        roles.give(admin_action, session.get_one(Player, olga.id), Role.ADMINISTRATOR)
    _report(site)
    held = _troubles(site)
    browser.send("/admin/announcements", text="We move on Sunday.", until="2026-03-10", mail="on")
    yield "admin-quarantine-mail", browser.get(f"/admin/quarantine/{held}").text
    yield "admin-quarantine-read", browser.send(f"/admin/quarantine/{held}/read").text
    browser.send("/admin/outbox/pause", domain="example.com", why="Their provider blocks us.")
    for name, address in _ADDRESSES_OF_STAFF.items():
        yield name, browser.get(address).text
    yield "admin-outbox-mistake", browser.send("/admin/outbox/pause", domain="example", why="It is slow.").text
    browser.send("/admin/registration", mode="closed")
    yield "home-closed", site.nobody.get("/").text
    browser.send("/admin/registration", mode="open")
    with writing(site.services.engine) as session:
        session.get_one(Player, 2).bio = "Beating fools since 1999."
    yield "admin-player-line", browser.send("/admin/players/2/line").text
    yield "admin-player-mistake", browser.send("/admin/players/2/suspend").text
    browser.send("/admin/players/2/suspend", why="They insulted others.", until="2026-03-20")
    browser.send("/admin/blocks", pattern="@example.com", why="Nothing but spam comes from there.")
    yield "admin-player-suspended", browser.get("/admin/players/2").text
    yield "admin-blocks", browser.get("/admin/blocks").text
    yield "admin-blocks-mistake", browser.send("/admin/blocks", pattern="eve").text
    browser.send("/admin/players/2/lift")
    yield "admin-game-mistake", browser.send("/admin/games/1", winner="all").text
    browser.send("/admin/games/1", winner="all", why="Their emails were lost for a week.")
    yield "admin-game-decided", browser.get("/admin/games/1").text
    yield "admin-tournament-mistake", browser.send("/admin/tournaments/2").text
    yield "admin-quarantine-mistake", browser.send(f"/admin/quarantine/{held}/drop").text
    yield "admin-announcements-mistake", browser.send("/admin/announcements", until="soon").text
    yield "admin-registration-mistake", browser.send("/admin/registration/invite", email="zoe").text
    browser.send("/admin/announcements/1/end")
    yield "admin-roles-mistake", browser.send("/admin/roles", name="Nobody", role="administrator").text


def _of_the_demo(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the postbox with letters to Ann and Ben."""
    with TemporaryDirectory() as folder:
        postbox = Postbox(Path(folder, "postbox"))
        for person, question in (("ann@example.org", "games"), ("ben@example.org", "help")):
            for written in receive(site.services, person, "play@games.example.org", question):
                content = written.mail.as_bytes()
                postbox.store([Received("smtp", "127.0.0.1", "", (written.to,), content)])
        pages = create_mailbox(postbox, ("127.0.0.1", 1), "play@games.example.org", "/").test_client()
        yield "demo-mailbox", pages.get("/").text
        yield "demo-mail", pages.get(f"/mail/{postbox.headings()[0].key}").text
        yield "demo-write", pages.get("/write").text
