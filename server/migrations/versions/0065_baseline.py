"""Create all tables (baseline before the first release)"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def column(
    kind: sa.types.TypeEngine[Any],
    name: str,
    *,
    key: bool = False,
    optional: bool = False,
    index: bool = False,
    unique: bool = False,
    refers: str = "",
) -> sa.Column[Any]:
    """Return a column; `refers` names the table to which it refers."""
    info = {"index": index, "unique": unique, "refers": refers}
    return sa.Column(name, kind, primary_key=key, nullable=optional, unique=unique and not index, info=info)


number = partial(column, ID)
text = partial(column, sa.String())
moment = partial(column, sa.DateTime())
integer = partial(column, sa.Integer())
boolean = partial(column, sa.Boolean())
real = partial(column, sa.Float())
binary = partial(column, sa.LargeBinary())
json = partial(column, sa.JSON(none_as_null=True))


def table(
    name: str, *columns: sa.Column[Any], unique: Sequence[Sequence[str]] = (), autoincrement: bool = False
) -> None:
    """Create a table and the indexes of single columns; each item of `unique` is a unique set of columns."""
    references = sorted((each.name, each.info["refers"]) for each in columns if each.info["refers"])
    op.create_table(
        name,
        *columns,
        *(sa.ForeignKeyConstraint([each], [f"{other}.id"]) for each, other in references),
        *(sa.UniqueConstraint(*together) for together in unique),
        sqlite_autoincrement=autoincrement,
    )
    for each in columns:
        if each.info["index"]:
            index(f"ix_{name}_{each.name}", name, each.name, unique=each.info["unique"])


def index(name: str, table: str, *columns: str, unique: bool = False, where: str | None = None) -> None:
    """Create an index, with `where` only of the rows that meet this condition."""
    rows = None if where is None else sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=rows, postgresql_where=rows)


def upgrade() -> None:
    """Create the tables."""
    table("blockedaddress", text("pattern", key=True), moment("since", index=True), text("why"))
    table(
        "channel",
        number("id", key=True),
        text("mark", unique=True),
        text("service"),
        binary("sealed"),
        moment("failing_since", optional=True),
    )
    table(
        "game",
        number("id", key=True),
        text("game_type"),
        integer("rules_version"),
        json("options"),
        json("setup"),
        binary("sealed_seed"),
        text("seed_hash"),
        json("asked"),
        number("again_of", optional=True, index=True),
        number("counter_of", optional=True, index=True),
        json("offer", optional=True),
        number("offer_of", optional=True, index=True),
        moment("offer_due_at", optional=True, index=True),
        number("series_of", optional=True, index=True),
        integer("series_place"),
        boolean("series_ended"),
        moment("next_due_at", optional=True, index=True),
        number("tournament_id", optional=True, index=True),
        json("terms"),
        boolean("private"),
        boolean("anonymous"),
        json("wanted"),
        moment("computers_join_at", optional=True),
        text("state"),
        integer("turn"),
        integer("entries"),
        text("head"),
        json("position"),
        json("memory"),
        json("rolled", optional=True),
        text("checksum", optional=True),
        json("result", optional=True),
        moment("resolve_at", optional=True, index=True),
        moment("turn_began_at", optional=True),
        moment("stale_at", optional=True, index=True),
        moment("count_due_at", optional=True, index=True),
        integer("serial", optional=True, index=True, unique=True),
        moment("news_at", optional=True, index=True),
        moment("tournament_due_at", optional=True, index=True),
        moment("created_at"),
        moment("changed_at"),
        integer("version"),
        integer("chat_version"),
        autoincrement=True,
    )
    index("ix_game_state_changed_at", "game", "state", "changed_at")
    table(
        "databaseage",
        integer("id", key=True),
        number("generation"),
        integer("beats"),
        moment("backup_at", optional=True),
        number("backup_bytes", optional=True),
        moment("verified_at", optional=True),
    )
    table("heartbeat", integer("id", key=True), moment("at"), number("crediting", optional=True))
    table(
        "inbox",
        number("id", key=True),
        text("source"),
        text("peer"),
        text("results"),
        text("mail_from", index=True),
        text("recipient"),
        text("fingerprint", unique=True),
        text("mark", optional=True, index=True, unique=True),
        binary("sealed", optional=True),
        text("state"),
        text("why"),
        integer("attempts"),
        integer("put_off"),
        moment("due_at"),
        text("queue"),
        integer("turn"),
        number("game_id", optional=True, index=True),
        number("asked_id", optional=True, index=True),
        moment("received_at"),
        moment("handled_at", optional=True),
        autoincrement=True,
    )
    index("ix_inbox_handled", "inbox", "state", "handled_at")
    index("ix_inbox_sealed", "inbox", "state", "handled_at", where="sealed IS NOT NULL")
    index("ix_inbox_turn", "inbox", "state", "turn", "due_at")
    index("ix_inbox_queue", "inbox", "queue", "turn", where="state = 'new'")
    table(
        "intake",
        integer("day", key=True),
        text("budget", key=True),
        column(sa.BigInteger(), "size"),
        column(sa.BigInteger(), "most"),
    )
    table("knownkey", text("mark", key=True), moment("since"))
    table("ledger", integer("id", key=True), integer("counted"))
    table(
        "outbox",
        number("id", key=True),
        text("key", unique=True),
        number("game_id", optional=True),
        text("recipient"),
        number("player_id", optional=True),
        text("domain"),
        text("origin", optional=True),
        boolean("doubtful"),
        integer("caused_by", optional=True),
        number("actor_id", optional=True),
        text("letter"),
        binary("sealed"),
        text("state"),
        integer("attempts"),
        moment("due_at"),
        text("error"),
        text("refusal"),
        moment("failing_since", optional=True),
        moment("created_at"),
        moment("sent_at", optional=True),
    )
    index("ix_outbox_actor", "outbox", "actor_id", "created_at", where="actor_id IS NOT NULL")
    index("ix_outbox_domain", "outbox", "domain", "sent_at")
    index("ix_outbox_recipient", "outbox", "recipient", "created_at")
    index("ix_outbox_player", "outbox", "player_id", "created_at")
    index("ix_outbox_due", "outbox", "state", "due_at")
    index("ix_outbox_origin", "outbox", "created_at", where="origin IS NOT NULL")
    index("ix_outbox_sent", "outbox", "state", "sent_at")
    table("pauseddomain", text("domain", key=True), moment("since"), text("why"))
    table(
        "player",
        number("id", key=True),
        text("name"),
        text("name_key", unique=True),
        text("name_shape", index=True, unique=True),
        text("email"),
        text("zone"),
        text("bio"),
        text("languages"),
        boolean("computer"),
        integer("strength", optional=True, index=True, unique=True),
        boolean("mail_stopped"),
        moment("complained_at", optional=True),
        moment("suspended_at", optional=True),
        integer("bounce_score"),
        moment("bounced_at", optional=True),
        integer("login_serial"),
        text("reminders"),
        moment("reminded_at", optional=True),
        text("digest"),
        moment("digest_at", optional=True, index=True),
        boolean("auto_vacation"),
        boolean("forced_moves"),
        json("choices"),
        number("channel_id", optional=True, index=True),
        text("feed_key", optional=True, index=True, unique=True),
        moment("created_at"),
        moment("confirmed_at", optional=True),
        autoincrement=True,
    )
    index("ix_player_complained_at", "player", "complained_at", where="complained_at IS NOT NULL")
    op.create_index(
        "ix_player_computer",
        "player",
        ["id"],
        sqlite_where=sa.text("computer = 1"),
        postgresql_where=sa.text("computer"),
    )
    table("policy", text("name", key=True), text("value"))
    table("ticket", text("mark", key=True), text("mail"), moment("since", index=True))
    table(
        "address",
        text("email", key=True),
        number("player_id", refers="player", index=True),
        boolean("logs_in"),
        moment("since", optional=True),
        json("usual_lines", optional=True),
    )
    table(
        "announcement",
        number("id", key=True),
        text("text"),
        moment("since"),
        moment("until", index=True),
        number("by_id", refers="player", optional=True),
        number("mailed_to", optional=True, index=True),
        boolean("is_mailed"),
    )
    table(
        "apianswer",
        number("player_id", refers="player", key=True),
        text("key", key=True),
        text("fingerprint"),
        binary("sealed"),
        moment("at", index=True),
    )
    table(
        "apitoken",
        number("player_id", refers="player", key=True),
        integer("number", key=True),
        text("fingerprint", index=True, unique=True),
        text("name"),
        moment("made_at"),
        moment("used_at", optional=True),
    )
    table("assessedgame", number("game_id", refers="game", key=True), json("answer"), moment("made_at"))
    table(
        "auditentry",
        number("id", key=True),
        moment("at"),
        number("by_id", refers="player", optional=True, index=True),
        text("what"),
        number("player_id", refers="player", optional=True, index=True),
        number("game_id", refers="game", optional=True, index=True),
        text("why"),
    )
    table(
        "ban",
        number("player_id", refers="player", key=True),
        boolean("closed"),
        moment("since", index=True),
        moment("until", optional=True),
        text("why"),
    )
    table(
        "browser",
        number("channel_id", refers="channel", key=True),
        number("player_id", refers="player", index=True),
        integer("login"),
        moment("since"),
        moment("told_at", optional=True),
    )
    table(
        "change",
        number("id", key=True),
        number("player_id", refers="player", index=True),
        text("what"),
        text("email"),
        boolean("old_agrees"),
        boolean("new_agrees"),
        moment("asked_at"),
        moment("told_at"),
        moment("due_at", index=True),
        moment("ended_at", optional=True),
        autoincrement=True,
    )
    table(
        "conduct",
        number("game_id", refers="game", key=True),
        integer("seat", key=True),
        number("player_id", refers="player"),
        integer("serial"),
        json("answers"),
    )
    index("ix_conduct_player_id_serial", "conduct", "player_id", "serial")
    table(
        "entry",
        number("game_id", refers="game", key=True),
        integer("number", key=True),
        integer("turn", optional=True),
        integer("undone_by", optional=True),
        json("body"),
        text("hash"),
        json("position", optional=True),
        text("checksum", optional=True),
        moment("at"),
        unique=[("game_id", "turn")],
    )
    table(
        "envelope",
        number("game_id", refers="game", key=True),
        integer("turn", key=True),
        integer("seat", key=True),
        binary("sealed"),
        text("commitment"),
        moment("written_at"),
    )
    table(
        "failure",
        number("id", key=True),
        text("job"),
        number("game_id", refers="game", optional=True),
        number("player_id", refers="player", optional=True),
        number("tournament_id", optional=True),
        integer("turn", optional=True),
        text("what"),
        integer("attempts"),
        moment("since", index=True),
        moment("due_at", index=True),
        unique=[("job", "game_id"), ("job", "player_id")],
    )
    index("ix_failure_job_tournament_id", "failure", "job", "tournament_id", unique=True)
    table(
        "follow",
        number("player_id", refers="player", key=True),
        number("other_id", refers="player", key=True, index=True),
    )
    table(
        "gamemessage",
        number("id", key=True),
        number("game_id", refers="game", index=True),
        integer("turn"),
        integer("seat"),
        boolean("private"),
        integer("listener", optional=True),
        binary("sealed"),
        moment("said_at"),
    )
    table(
        "gift",
        number("id", key=True),
        number("game_id", refers="game", index=True),
        integer("turn"),
        integer("seat"),
        integer("seconds"),
        moment("said_at"),
    )
    table("habit", number("player_id", refers="player", key=True), json("answers"))
    table(
        "inquiry",
        number("id", key=True),
        number("game_id", refers="game", index=True),
        number("player_id", refers="player"),
        text("what"),
        integer("turn"),
        integer("seat", optional=True),
        boolean("by_mail"),
        moment("asked_at"),
        moment("due_at", optional=True, index=True),
        json("answer", optional=True),
    )
    index("ix_inquiry_player_id_asked_at", "inquiry", "player_id", "asked_at")
    table(
        "login",
        number("player_id", refers="player", key=True),
        integer("number", key=True),
        text("browser"),
        moment("since"),
        moment("seen_at", index=True),
    )
    table(
        "notice",
        number("id", key=True),
        number("channel_id", refers="channel", index=True),
        number("game_id", refers="game", optional=True),
        integer("turn"),
        json("seats"),
        moment("due_at", index=True),
        unique=[("game_id", "turn", "channel_id")],
    )
    table(
        "passkey",
        number("player_id", refers="player", key=True),
        integer("number", key=True),
        text("credential", index=True, unique=True),
        text("public_key"),
        number("sign_count"),
        text("name"),
        moment("added_at"),
        moment("used_at", optional=True),
    )
    table(
        "pause",
        number("id", key=True),
        number("player_id", refers="player", optional=True),
        number("game_id", refers="game", optional=True, index=True),
        integer("seat", optional=True),
        moment("start_at"),
        moment("end_at", index=True),
        moment("said_at"),
        text("why"),
    )
    index("ix_pause_whose", "pause", "player_id", "game_id", "end_at")
    table(
        "rating",
        number("player_id", refers="player", key=True),
        text("game_type", key=True),
        text("pace", key=True),
        real("mu"),
        real("sigma"),
        integer("games"),
    )
    table(
        "ratingchange",
        number("game_id", refers="game", key=True),
        number("player_id", refers="player", key=True),
        integer("serial"),
        text("game_type"),
        text("pace"),
        real("mu"),
        real("sigma"),
        moment("at"),
    )
    index("ix_rating_rank", "rating", "game_type", "pace", "mu")
    index("ix_ratingchange_player_id_serial", "ratingchange", "player_id", "serial")
    table(
        "relation",
        number("player_id", refers="player", key=True),
        number("other_id", refers="player", key=True, index=True),
        boolean("blocked"),
    )
    table(
        "seat",
        number("game_id", refers="game", key=True),
        integer("number", key=True),
        number("player_id", refers="player"),
        boolean("accepted"),
        moment("joined_at", optional=True),
        boolean("agreed"),
        text("invited_as"),
        text("client_seed"),
        boolean("owes"),
        boolean("left"),
        moment("thinking_until", optional=True),
        integer("bank"),
        integer("thought", optional=True),
        integer("misses"),
        text("zone"),
        moment("deadline_at", optional=True),
        moment("grace_until", optional=True, index=True),
        moment("remind_at", optional=True, index=True),
        moment("reminded_at", optional=True),
        text("outcome"),
        moment("over_at", optional=True),
        boolean("overdue"),
        integer("absent_turn", optional=True),
        integer("heard_turn", optional=True),
        integer("stood_turn", optional=True),
        moment("muted_until", optional=True, index=True),
        number("channel_id", optional=True, index=True),
        json("proposals"),
        binary("sealed_conditions", optional=True),
        binary("sealed_words", optional=True),
        integer("unreported_turn", optional=True),
        moment("deferred_since", optional=True),
        moment("deferred_until", optional=True, index=True),
        moment("page_at", optional=True),
        integer("seen_turn", optional=True),
        number("seen_message", optional=True),
        binary("sealed_aside", optional=True),
        integer("version"),
        integer("lists_version"),
    )
    index("ix_seat_invited_as", "seat", "invited_as", where="invited_as != ''")
    index("ix_seat_owes_player_id", "seat", "owes", "player_id")
    index("ix_seat_player_id_game_id", "seat", "player_id", "game_id")
    index("ix_seat_player_id_over_at", "seat", "player_id", "over_at", "game_id")
    table(
        "spectatormessage",
        number("id", key=True),
        number("game_id", refers="game", index=True),
        integer("turn"),
        number("player_id", refers="player", index=True),
        binary("sealed"),
        moment("said_at"),
    )
    table(
        "staff",
        number("player_id", refers="player", key=True),
        text("role"),
        moment("since"),
        binary("sealed_factor", optional=True),
        moment("confirmed_at", optional=True),
        integer("last_step"),
        integer("wrong_codes"),
        moment("wrong_since", optional=True),
    )
    table(
        "tally",
        number("player_id", refers="player", key=True),
        text("game_type", key=True),
        integer("won"),
        integer("drawn"),
        integer("lost"),
        integer("abandoned"),
    )
    table(
        "tournament",
        number("id", key=True),
        text("name"),
        text("game_type"),
        json("options"),
        json("terms"),
        json("plan"),
        number("made_by", refers="player", index=True),
        text("state"),
        integer("round"),
        integer("rounds"),
        integer("told_round"),
        moment("created_at"),
        moment("closes_at"),
        moment("ends_at", optional=True),
        moment("over_at", optional=True),
        binary("sealed_lot", optional=True),
        text("lot_hash"),
        text("lot"),
        moment("due_at", optional=True, index=True),
        integer("version"),
        autoincrement=True,
    )
    index("ix_tournament_state_id", "tournament", "state", "id")
    table(
        "variation",
        number("game_id", refers="game", key=True),
        number("player_id", refers="player", key=True),
        integer("number", key=True),
        binary("sealed"),
        text("link_hash", optional=True),
        unique=[("game_id", "link_hash")],
    )
    table(
        "watch",
        number("player_id", refers="player", key=True),
        number("game_id", refers="game", key=True, index=True),
        integer("entries"),
        moment("told_at", optional=True),
        integer("last_message"),
    )
    table(
        "abusereport",
        number("id", key=True),
        number("game_id", refers="game"),
        number("message_id", refers="gamemessage", optional=True),
        number("spectator_message_id", refers="spectatormessage", optional=True),
        number("speaker_id", refers="player", index=True),
        number("by_id", refers="player", index=True),
        binary("sealed"),
        moment("reported_at", index=True),
        moment("resolved_at", optional=True),
        unique=[("message_id", "by_id"), ("spectator_message_id", "by_id")],
    )
    table(
        "entrant",
        number("tournament_id", refers="tournament", key=True),
        number("player_id", refers="player", key=True, index=True),
        integer("number"),
        integer("seed", optional=True),
        boolean("left"),
    )
    table(
        "pairing",
        number("id", key=True),
        number("tournament_id", refers="tournament"),
        integer("round"),
        integer("board"),
        integer("leg"),
        number("first_id", refers="player"),
        number("second_id", refers="player", optional=True),
        number("game_id", refers="game", optional=True, index=True, unique=True),
        moment("adjudicate_at", optional=True),
        moment("warned_at", optional=True),
        boolean("adjudicated"),
        real("first_points", optional=True),
        real("second_points", optional=True),
        integer("first_thought", optional=True),
        integer("second_thought", optional=True),
        unique=[("tournament_id", "round", "board", "leg")],
    )
