"""The statements that every turn runs, built once, each with the index that it uses.

Compiling a statement takes many times as long as running it, and plain columns take a fraction of the time of
objects of the session. So the data that a turn reads and does not change is read here. See
`docs/measurements.md` for the figures; `tests/server/store/test_prepared_statements.py` checks the indexes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVarTuple, cast

from sqlalchemy import (
    BindParameter,
    Boolean,
    Executable,
    Select,
    Table,
    and_,
    bindparam,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, col

from server.store.models import (
    Address,
    Ban,
    Browser,
    Entry,
    Gift,
    Inbox,
    Intake,
    Outbox,
    Pause,
    PausedDomain,
    Player,
    Seat,
)
from server.store.statements.plans import Found, Plans

_Columns = TypeVarTuple("_Columns")


@dataclass(frozen=True)
class Prepared(Generic[*_Columns]):
    """A statement that is built once and returns plain columns; `by` has the index for each table.

    It does not flush, so the session must have no pending changes of the tables that it reads.
    """

    statement: Executable
    by: tuple[str, ...] = ()

    @cached_property
    def _plans(self) -> Plans:
        return Plans(self.statement)

    def __call__(self, session: Session, **given: Any) -> Found[*_Columns]:
        """Run the statement in the session's transaction. It does not see unflushed changes."""
        connection = session.connection()
        found = self._plans.plan_for(connection.dialect, given).run(connection, given)
        return cast("Found[*_Columns]", found)


def statements(dialect: str) -> Iterator[tuple[str, Prepared[*tuple[Any, ...]]]]:
    """Yield all statements with their names, for one database dialect."""
    for name, value in globals().items():
        found = value.get(dialect) if isinstance(value, dict) else value
        if isinstance(found, Prepared):
            yield name, found


def _table(model: type[SQLModel]) -> Table:
    found: Table = model.__table__  # type: ignore[attr-defined]
    return found


def _asking(statement: Select[*_Columns], *by: str) -> Prepared[*_Columns]:
    return Prepared(statement, by)


_WAITS = and_(col(Inbox.state) == literal_column("'new'"), col(Inbox.queue) == bindparam("of_queue"))
_LAST = select(func.coalesce(func.max(Inbox.turn), 0)).where(_WAITS).scalar_subquery()
NEW_IN_INBOX: dict[str, Prepared[*tuple[Any, ...]]] = {
    dialect: Prepared(
        inserting(_table(Inbox))
        .values(turn=_LAST + bindparam("cost"))
        .on_conflict_do_nothing(index_elements=["fingerprint"]),
        ("ix_inbox_queue",),
    )
    for dialect, inserting in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}
"""Stores an incoming email, `cost` turns behind the last one in its queue; by dialect."""

_COUNTED = ("day", "budget")
CHARGE: dict[str, Prepared[*tuple[Any, ...]]] = {
    dialect: Prepared(
        (counting := inserting(_table(Intake)))
        .on_conflict_do_update(
            index_elements=_COUNTED,
            set_={"size": col(Intake.size) + counting.excluded.size, "most": counting.excluded.most},
        )
        .returning(col(Intake.size))
    )
    for dialect, inserting in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}
"""Counts bytes of incoming email against a budget and returns today's total; by dialect."""

IS_CLAIMED = _asking(
    select(col(Inbox.id))
    .where(col(Inbox.id) == bindparam("number"), col(Inbox.attempts) == bindparam("attempt"))
    .where(col(Inbox.state) == "new")
    .with_for_update(),
    "inbox_pkey",
)
"""Finds, and locks, an email if its lease is still valid."""

DUPLICATES = _asking(
    select(col(Inbox.id)).where(col(Inbox.mark).in_(bindparam("marks", expanding=True))).limit(1),
    "ix_inbox_mark",
)
"""Finds a handled email with the same content."""

OWNER = _asking(
    select(col(Player.id), col(Player.confirmed_at), col(Ban.closed))
    .join_from(Address, Player, col(Address.player_id) == Player.id)
    .outerjoin(Ban, col(Ban.player_id) == Player.id)
    .where(col(Address.email) == bindparam("email")),
    "address_pkey",
    "player_pkey",
    "ban_pkey",
)
"""Finds the player with an address: when they signed up, and whether their account is closed."""

LOG = _asking(
    select(col(Entry.number), col(Entry.body), col(Entry.hash))
    .where(col(Entry.game_id) == bindparam("game"), col(Entry.number) >= bindparam("first"))
    .order_by(col(Entry.number)),
    "entry_pkey",
)
"""Reads the log of a game from an entry on."""

_LAST_TURN: BindParameter[int] = bindparam("last")
BOARD = _asking(
    select(col(Entry.checksum), col(Entry.hash))
    .where(col(Entry.game_id) == bindparam("game"))
    .where(
        or_(
            col(Entry.number) == 0,
            and_(
                col(Entry.turn) <= _LAST_TURN,
                or_(col(Entry.undone_by).is_(None), col(Entry.undone_by) > _LAST_TURN),
            ),
        )
    )
    .order_by(col(Entry.number).desc())
    .limit(1),
    "entry_pkey",
)
"""Finds the entry of the last turn up to `last` that was valid then; before the first turn, entry 0."""

SEATED = _asking(
    select(col(Seat.player_id)).where(
        col(Seat.game_id) == bindparam("game"), col(Seat.number) == bindparam("seat")
    ),
    "seat_pkey",
)
"""Finds the player in a seat of a game."""

PAUSES = _asking(
    select(col(Pause.start_at), col(Pause.end_at), col(Pause.said_at), col(Pause.why)).where(
        col(Pause.end_at) > bindparam("since"),
        or_(
            col(Pause.player_id) == bindparam("player"),
            and_(
                col(Pause.game_id) == bindparam("game"),
                or_(col(Pause.seat) == bindparam("seat"), col(Pause.seat).is_(None)),
            ),
            and_(col(Pause.player_id).is_(None), col(Pause.game_id).is_(None)),
        ),
    ),
    "ix_pause_whose",
    "ix_pause_game_id",
)
"""Reads the pauses of a seat, of its player and of all players."""

GIFTS = _asking(
    select(col(Gift.seconds), col(Gift.said_at), col(Gift.id)).where(
        col(Gift.game_id) == bindparam("game"),
        col(Gift.turn) == bindparam("turn"),
        col(Gift.seat) == bindparam("seat"),
    ),
    "ix_gift_game_id",
)
"""Reads the extra time of a seat in a turn."""

BROWSERS = _asking(
    select(col(Browser.player_id), col(Browser.channel_id)).where(
        col(Browser.player_id).in_(bindparam("players", expanding=True))
    ),
    "ix_browser_player_id",
)
"""Finds the browsers in which players get notifications."""

NEW_ENTRY: Prepared[*tuple[Any, ...]] = Prepared(insert(_table(Entry)))
"""Adds to the log of a game."""

CAUSED = _asking(
    select(func.count()).where(
        col(Outbox.actor_id) == bindparam("actor"), col(Outbox.created_at) > bindparam("since")
    ),
    "ix_outbox_actor",
)
"""Counts the emails that a player has caused since a moment."""

NEW_MAIL: Prepared[*tuple[Any, ...]] = Prepared(insert(_table(Outbox)))
"""Adds an email to the outbox."""

DUE_MAIL = _asking(
    select(col(Outbox.id))
    .where(col(Outbox.state) == "queued", col(Outbox.due_at) <= bindparam("now"))
    .limit(1),
    "ix_outbox_due",
)
"""Finds an email that is due to be sent."""

PAUSED_DOMAINS = _asking(
    select(col(PausedDomain.domain))
    .where(col(PausedDomain.domain).in_(bindparam("domains", expanding=True)))
    .with_for_update(read=True),
    "pauseddomain_pkey",
)
"""Finds, and locks, those of some domains that are paused."""

SENT_TO = _asking(
    select(col(Outbox.domain), func.count())
    .where(
        col(Outbox.domain).in_(bindparam("domains", expanding=True)), col(Outbox.sent_at) > bindparam("since")
    )
    .group_by(col(Outbox.domain)),
    "ix_outbox_domain",
)
"""Counts the emails that were sent to domains since a moment."""

# The attempt number changes whenever an email is leased, so a slow sender does not overwrite the result of the
# next one. An email that an administrator dropped meanwhile is not retried.
OUTCOME: Prepared[*tuple[Any, ...]] = Prepared(
    update(_table(Outbox)).where(
        col(Outbox.id) == bindparam("number"),
        col(Outbox.attempts) == bindparam("attempt"),
        or_(col(Outbox.state) != "dropped", bindparam("is_sent", type_=Boolean)),
    ),
    ("outbox_pkey",),
)
"""Stores the outcome of an attempt to send an email, unless another sender has leased the email since."""
