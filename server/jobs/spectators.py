"""Emails to the spectators of a game, and to followers of its players, about turns and spectator messages."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, bindparam, update
from sqlmodel import Session, and_, col, exists, or_, select

from rules.records.entries import Played, TakenBack
from server.accounts import relations
from server.game.log import log, stored_entries, visibility
from server.game.log.log import Seated
from server.game.spectators import chat
from server.jobs.job import Work
from server.store.db import reading, writing
from server.store.deferral import NEVER, wish_of
from server.store.letters.game import Watched
from server.store.letters.letter import About
from server.store.models import Follow, Game, Player, Seat, UtcDateTime, Watch
from server.store.outbox import ActionContext

PAUSE = timedelta(minutes=15)
"""The least time between two emails about a game to the same spectator."""
_AT_ONCE = 500
"""The number of unwatched games whose news are cleared in one transaction."""


def _is_watched() -> ColumnElement[bool]:
    of_player = exists().where(col(Seat.game_id) == col(Game.id), col(Follow.other_id) == col(Seat.player_id))
    return or_(exists().where(col(Watch.game_id) == col(Game.id)), and_(col(Game.state) == "over", of_player))


_UNWATCHED = (
    select(Game.id)
    .where(col(Game.news_at).is_not(None), col(Game.news_at) <= bindparam("now", type_=UtcDateTime))
    .where(~_is_watched())
    .limit(_AT_ONCE)
)
"""Built once, as the job runs every second."""
_OLDEST_UNWATCHED = _UNWATCHED.order_by(col(Game.news_at)).with_for_update(of=Game, skip_locked=True)


def pass_over(work: Work) -> None:
    """Mark the news of games without spectators as reported, because no one gets it."""
    engine, now = work.engine, work.now()
    with reading(engine) as session:
        if session.connection().execute(_UNWATCHED, {"now": now}).first() is None:
            return
    with writing(engine) as session:
        numbers = list(session.exec(_OLDEST_UNWATCHED, params={"now": now}))
        session.execute(
            update(Game).where(col(Game.id).in_(numbers)).values(news_at=None),
            execution_options={"synchronize_session": False},
        )


def report_news(action: ActionContext, game: Game) -> None:
    """Email the new turns and messages of a game to each spectator, once."""
    session, seated = action.session, log.seats(action.session, game)
    game.news_at = None
    known = {seat.player_id for seat, _ in seated}
    if visibility.is_public(game.state, private=game.private):
        for watch, watcher in _watchers(session, game):
            if game.state == "running" and watch.told_at is not None and watch.told_at + PAUSE > action.now:
                game.news_at = min(game.news_at or watch.told_at + PAUSE, watch.told_at + PAUSE)
            elif watch.player_id not in known:
                known.add(watch.player_id)
                said = chat.new_to(session, game, watcher, watch.last_message)
                if _put(action, watcher, game, watch.entries, said=said):
                    watch.told_at = action.now
                    watch.last_message = max([watch.last_message, *said])
                watch.entries = game.entries
    if game.state == "over":
        _tell_of_end(action, game, seated, known)


def _tell_of_end(action: ActionContext, game: Game, seated: list[Seated], known: set[int]) -> None:
    """Email the end of a game to its players' followers, except `known`, and remove its spectators."""
    for watch, _ in _watchers(action.session, game):
        action.session.delete(watch)
    if game.private:
        return
    query = (
        select(Follow, Player)
        .where(Follow.player_id == Player.id, col(Follow.other_id).in_([seat.player_id for seat, _ in seated]))
        .order_by(col(Follow.player_id), col(Follow.other_id))
    )
    people = {seat.player_id: player for seat, player in seated}
    for follow, watcher in action.session.exec(query):
        if follow.player_id in known or relations.mutes(action.session, watcher, people[follow.other_id]):
            continue
        known.add(follow.player_id)
        _put(action, watcher, game, game.entries, follow.other_id)


def _watchers(session: Session, game: Game) -> list[tuple[Watch, Player]]:
    query = select(Watch, Player).where(Watch.game_id == game.id, Watch.player_id == Player.id)
    return list(session.exec(query.order_by(col(Watch.player_id))))


def _put(
    action: ActionContext,
    watcher: Player,
    game: Game,
    entries: int,
    follows: int | None = None,
    said: Sequence[int] = (),
) -> bool:
    """Email a spectator the log's entries from number `entries` on; return whether there were any to send.

    `said` are the numbers of new messages in the spectator chat.
    """
    new = [
        stored_entries.entry_body(game, entry) for entry in log.entries(action.session, game)[max(entries, 1) :]
    ]
    turns = [each.number for each in new if isinstance(each, Played | TakenBack)]
    if wish_of(watcher) == NEVER or not (turns or game.result):
        return False
    letter = Watched(
        first=min(turns, default=game.turn),
        last=game.turn - 1,
        undone=[each.of for each in new if isinstance(each, TakenBack)],
        rolled=game.rolled,
        result=game.result,
        entries=game.entries,
        head=game.head,
        watcher=watcher.id or 0,
        follows=follows,
        messages=list(said),
    )
    action.put_to_player(watcher, letter, About(log.id_of(game)))
    return True
