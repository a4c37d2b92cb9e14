"""Games that have not started, or have more data than others: most of them of the busiest player."""

from collections.abc import Mapping, Sequence

from sqlalchemy import insert
from sqlmodel import col, select

from rules.line import Line
from server.accounts import account_changes, players
from server.accounts.login.links import Logins, Watching
from server.bench.filling.playing import Below, begin, give_up, play_on, seat_of
from server.game.lobby import challenges, joining, next_in_series
from server.game.log import log, visibility
from server.game.views.variations import Variations
from server.limits import MOST_RELATIONS, MOST_VARIATIONS, MOST_WATCHED
from server.store.letters.account import AccountChanged
from server.store.models import Follow, Game, GameMessage, Player, Relation, Seat, SpectatorMessage, Watch
from server.store.outbox import ActionContext

PAGES = {
    "an invitation": "/games/{invited}",
    "other terms for it": "/games/{invited}/counter",
    "an open game": "/games/{open}",
    "its board": "/games/{open}/start/3.svg",
    "a game of a series": "/games/{series}",
    "an anonymous game": "/games/{anonymous}",
    "a long game": "/games/{long}",
    "the same, a try": "/games/{long}?move={move}",
    "the same, a pick": "/games/{long}?pick={pick}",
    "the same, earlier": "/games/{long}?turn={earlier}",
    "the same, analysis": "/games/{long}/analysis",
    "a variation": "/games/{long}/variations/1",
    "a variation, shared": "/games/{long}/variations/shared/{link}",
    "words to report": "/games/{long}/said/{said}/report",
    "a long game, watched": "/games/{watched}",
    "a long game, over": "/games/{ended}",
    "feed": "/feeds/{feed}/games.atom",
    "calendar": "/feeds/{feed}/deadlines.ics",
    "link to log in": "/enter/{login}",
    "link to confirm": "/confirm/{change}",
    "link to undo": "/undo/{undo}",
    "link against emails": "/stop/{stop}",
    "link against watching": "/unwatch/{unwatch}",
}
"""Addresses for the busiest player, with placeholders for values that `fill` returns."""
FOR_SCRIPTS = {"a pick by a script": PAGES["the same, a pick"]}
"""Addresses that the script of a page requests, to replace parts of it."""

_GAME_TYPE, _LARGE = "nebuchadnezzar", {"size": 15}
"""The largest board; games on it also have the most turns."""
_SAID = b"Sorry for the wait, it was a long week. " * 3
_IN_A_ROW = 3
"""The number of games of the series that have been played."""
_OPEN = 130
"""The number of open games in the lobby."""


def fill(
    action: ActionContext, logins: Logins, people: Sequence[int], turns: int, below: Below
) -> Mapping[str, int | str]:
    """Play these games, the long ones for `turns` turns, and talk; return values for the addresses above.

    The first of the people is the busiest one.
    """
    busy, *open_ones = (action.session.get_one(Player, number) for number in people[: 1 + _OPEN])
    other, third, *speakers = open_ones[:4]
    long, watched, ended = (
        begin(action, company, _GAME_TYPE, _LARGE) for company in ((busy, other), (third, other), (busy, third))
    )
    for game in (long, watched, ended):
        play_on(action, game, turns, below)
        _talk(action, game, turns, speakers)
    give_up(action, ended)
    seat = seat_of(action, long, busy)
    if seat not in log.rules_of(long).to_move(log.position_of(long)):
        play_on(action, long, turns + 1, below)
    _look_around(action, busy, people[1:])
    waiting = [joining.seek(action, player, "nexus", {"players": 3}) for player in open_ones]
    return {
        "invited": log.id_of(challenges.challenge(action, other, [busy], "nelaxtam", {})),
        "open": log.id_of(waiting[0]),
        "series": log.id_of(_series(action, (busy, other))),
        "anonymous": log.id_of(_anonymous(action, (busy, other), below)),
        "long": log.id_of(long),
        "said": 1 + seat,
        "earlier": long.turn // 2,
        "pick": log.rules_of(long).choices(log.position_of(long), seat, ()).picks[0].text,
        "move": log.rules_of(long).examples(log.position_of(long), seat)[0],
        "link": _variations(action, long, busy, below),
        "watched": log.id_of(watched),
        "ended": log.id_of(ended),
        **_secrets(action, logins, busy, watched),
    }


def _series(action: ActionContext, company: Sequence[Player]) -> Game:
    """Return a game of a series, in which some games have been played before."""
    game = begin(action, company, "nibble", {"games": 20})
    for _ in range(_IN_A_ROW):
        give_up(action, game)
        next_in_series.go_on(action, game)
        game = action.session.exec(select(Game).where(Game.again_of == game.id)).one()
    return game


def _anonymous(action: ActionContext, company: Sequence[Player], below: Below) -> Game:
    first, *others = company
    game = joining.seek(action, first, "nardshir", {"anonymous": "on"})
    for player in others:
        joining.join(action, player, log.id_of(game))
    play_on(action, game, 12, below)
    return game


def _talk(action: ActionContext, game: Game, much: int, spectators: Sequence[Player]) -> None:
    """Add this many messages of the players in turn, and of two spectators."""
    session, number, sealed = action.session, log.id_of(game), action.sealer.seal(_SAID)
    same = {"game_id": number, "sealed": sealed, "said_at": action.now}
    turns = range(1, much + 1)
    session.execute(insert(GameMessage), [{**same, "turn": turn, "seat": turn % 2} for turn in turns])
    session.execute(
        insert(SpectatorMessage),
        [{**same, "turn": turn, "player_id": spectators[turn % 2].id} for turn in turns],
    )


def _look_around(action: ActionContext, player: Player, others: Sequence[int]) -> None:
    """Let a player watch as many people and games, and block as many of the others, as is allowed."""
    own, session, half = players.identity(player), action.session, MOST_WATCHED // 2
    theirs = select(Seat.game_id).where(Seat.player_id == own)
    query = select(Game.id).where(Game.state == "running", visibility.PUBLIC, col(Game.id).not_in(theirs))
    games = session.exec(query.limit(half)).all()
    session.add_all(Watch(player_id=own, game_id=game or 0, entries=0) for game in games)
    session.add_all(Follow(player_id=own, other_id=other) for other in others[:half])
    far = others[len(others) // 2 :][:MOST_RELATIONS]
    session.add_all(Relation(player_id=own, other_id=other, blocked=True) for other in far)
    session.flush()


def _variations(action: ActionContext, game: Game, player: Player, below: Below) -> str:
    """Keep as many variations as is allowed; return the secret of the first one's link."""
    kept = Variations(action.session, action.sealer, game, players.identity(player))
    rules, line = log.rules_of(game), Line(log.rules_of(game), log.position_of(game))
    for seat in (seat_of(action, game, player), 1 - seat_of(action, game, player)):
        line = line.then(rules.format(rules.sample(line.position, seat, below)))
    for _ in range(MOST_VARIATIONS):
        kept.keep(game.turn - 1, line.parts, "The corner looks weak.")
        action.session.flush()
    kept.share(1)
    return kept.all()[1].link


def _secrets(action: ActionContext, logins: Logins, player: Player, watched: Game) -> Mapping[str, int | str]:
    """Return the secrets in links that are emailed, and in private addresses."""
    own, email = players.identity(player), "another@example.org"
    player.feed_key = "a private address"
    account_changes.add(action, player, email, "play@bench.test")
    (change,) = account_changes.waiting_changes(action.session, player, action.now)
    changed = AccountChanged(own, "passkey", "Phone", "", action.now, player.email)
    return {
        "feed": player.feed_key,
        "login": logins.write(player),
        "change": logins.write_change(change.id or 0, email),
        "undo": logins.write_undo(changed),
        "stop": logins.write_stop(own),
        "unwatch": logins.write_unwatch(Watching(own, log.id_of(watched), None)),
    }
