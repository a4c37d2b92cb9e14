"""Telling players later: by a digest, or when a game is not muted any more.

Several workers may do this at once: whom they tell is locked, and what he has to be told stands with his seats.
"""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session, col, or_, select

from rules.game import Json
from server.accounts import players
from server.clock.digests import next_digest, read_digest
from server.game import conditions, log, randomness
from server.game.table import Aside, standing
from server.store import db, failures
from server.store.deferral import is_muted, is_urgent, release
from server.store.models import Game, Player, Seat
from server.store.outbox import Post
from server.store.sealing import Vault

_GAMES_A_MAIL = 5
_CHORE = "digest"


def digest_next(engine: Engine, vault: Vault, now: datetime) -> bool:
    """Mail one player his digest, if there is anything to tell; False when none is due."""
    due = select(Player).where(col(Player.digest_at) <= now).order_by(col(Player.digest_at))
    return failures.act_on_first(engine, vault, now, _CHORE, due, _mail_digest)


def unmute_next(engine: Engine, vault: Vault, now: datetime) -> bool:
    """End a pause in the mail about a game when it is over, and tell what happened; False when none is."""
    due = select(Game).where(Seat.game_id == Game.id, col(Seat.muted_until) <= now)
    return failures.act_on_first(
        engine, vault, now, "unmuting", due.order_by(col(Seat.muted_until)), _unmute_due
    )


def unmute(post: Post, game: Game, seat: Seat, player: Player) -> None:
    """Mail about a game again; what happened meanwhile is told in one report, or in the next digest."""
    post.session.flush()
    post.session.refresh(seat, with_for_update=True)
    seat.muted_until = None
    if seat.untold_at is None:
        return
    post.put_to_player(player, "report", game=game.id, **_stands(post, game, seat))


def plan(player: Player, now: datetime) -> None:
    """Compute when the player's next digest comes: later than now."""
    player.digest_at = next_digest(read_digest(player.digest, players.zone(player)), now)


def catch_up(post: Post, player: Player) -> None:
    """Tell at once what was held back, if a choice of the player has made that urgent, or ended his digests."""
    waiting = [
        seat
        for seat in post.session.exec(
            select(Seat).where(Seat.player_id == player.id, col(Seat.untold_at).is_not(None))
        )
        if not is_muted(seat, post.now)
    ]
    if waiting and (player.digest_at is None or any(is_urgent(player, seat) for seat in waiting)):
        _tell(post, player)


def _mail_digest(post: Post, player: Player) -> None:
    plan(player, post.now)
    _tell(post, player)


def _unmute_due(post: Post, game: Game) -> None:
    for seat, player in log.seats(post.session, game, fresh=True):
        if seat.muted_until is not None and seat.muted_until <= post.now:
            unmute(post, game, seat, player)


def _tell(post: Post, player: Player) -> None:
    """Mail a digest: all that was held back, and all that the player owes, the most urgent first.

    Many games come in several mails, as mail programs cut off what is too long.
    """
    if player.mail_stopped or player.suspended_at is not None:
        return
    rows = [
        (game, seat)
        for game, seat in _rows(post.session, player)
        if game.state == "over" or not is_muted(seat, post.now)
    ]
    never = datetime.max.replace(tzinfo=post.now.tzinfo)
    rows.sort(key=lambda row: (not row[1].owes, row[1].deadline_at or never, row[0].id))
    told: list[Json] = []
    for game, seat in rows:
        with failures.apart(post.session, post.now, _CHORE, Game, log.identity(game)):
            randomness.mend(post.vault, game, log.seats(post.session, game))
            log.position_of(game)  # one that cannot be read would keep back the mail about all others
            told.append({"game": game.id, **release(post.session, post.vault, seat, _stands(post, game, seat))})
    for first in range(0, len(told), _GAMES_A_MAIL):
        games = told[first : first + _GAMES_A_MAIL]
        post.put_to_player(player, "digest", player=player.id, games=games)


def _rows(session: Session, player: Player) -> list[tuple[Game, Seat]]:
    """The games, locked, of which a player has to be told, or in which he owes something."""
    query = (
        select(Game, Seat)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id)
        .where(or_(col(Seat.untold_at).is_not(None), col(Seat.owes).is_(True)))
        .order_by(col(Game.id))
        .with_for_update(**db.LOCK)
        .execution_options(populate_existing=True)
    )
    return list(session.exec(query))


def _stands(post: Post, game: Game, seat: Seat) -> Json:
    """A report in which nothing happened."""
    kept = conditions.write(conditions.kept(post.vault, seat))
    return {
        "seat": seat.number,
        "first": game.turn,
        "said": "",
        "speaker": None,
        "undone": None,
        "aside": asdict(Aside(kept=kept)),
        **standing(game, log.seats(post.session, game), seat.number),
    }
