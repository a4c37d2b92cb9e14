"""All tables, as of the version before the first release"""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "blockedaddress",
        sa.Column("pattern", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("pattern"),
    )
    op.create_index(op.f("ix_blockedaddress_since"), "blockedaddress", ["since"], unique=False)
    op.create_table(
        "channel",
        sa.Column("id", ID, nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("service", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("failing_since", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("mark"),
    )
    op.create_table(
        "game",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_type", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("setup", JSON, nullable=False),
        sa.Column("sealed_seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed_hash", sa.String(), nullable=False),
        sa.Column("asked", JSON, nullable=False),
        sa.Column("again_of", ID, nullable=True),
        sa.Column("counter_of", ID, nullable=True),
        sa.Column("offer", JSON, nullable=True),
        sa.Column("offer_of", ID, nullable=True),
        sa.Column("offer_due_at", sa.DateTime(), nullable=True),
        sa.Column("series_of", ID, nullable=True),
        sa.Column("series_place", sa.Integer(), nullable=False),
        sa.Column("series_ended", sa.Boolean(), nullable=False),
        sa.Column("next_due_at", sa.DateTime(), nullable=True),
        sa.Column("tournament_id", ID, nullable=True),
        sa.Column("terms", JSON, nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("wanted", JSON, nullable=False),
        sa.Column("computers_join_at", sa.DateTime(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("position", JSON, nullable=False),
        sa.Column("memory", JSON, nullable=False),
        sa.Column("rolled", JSON, nullable=True),
        sa.Column("checksum", sa.String(), nullable=True),
        sa.Column("result", JSON, nullable=True),
        sa.Column("resolve_at", sa.DateTime(), nullable=True),
        sa.Column("turn_began_at", sa.DateTime(), nullable=True),
        sa.Column("stale_at", sa.DateTime(), nullable=True),
        sa.Column("count_due_at", sa.DateTime(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=True),
        sa.Column("news_at", sa.DateTime(), nullable=True),
        sa.Column("tournament_due_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_game_again_of"), "game", ["again_of"], unique=False)
    op.create_index(op.f("ix_game_count_due_at"), "game", ["count_due_at"], unique=False)
    op.create_index(op.f("ix_game_counter_of"), "game", ["counter_of"], unique=False)
    op.create_index(op.f("ix_game_news_at"), "game", ["news_at"], unique=False)
    op.create_index(op.f("ix_game_next_due_at"), "game", ["next_due_at"], unique=False)
    op.create_index(op.f("ix_game_offer_due_at"), "game", ["offer_due_at"], unique=False)
    op.create_index(op.f("ix_game_offer_of"), "game", ["offer_of"], unique=False)
    op.create_index(op.f("ix_game_resolve_at"), "game", ["resolve_at"], unique=False)
    op.create_index(op.f("ix_game_serial"), "game", ["serial"], unique=True)
    op.create_index(op.f("ix_game_series_of"), "game", ["series_of"], unique=False)
    op.create_index(op.f("ix_game_stale_at"), "game", ["stale_at"], unique=False)
    op.create_index("ix_game_state_changed_at", "game", ["state", "changed_at"], unique=False)
    op.create_index(op.f("ix_game_tournament_due_at"), "game", ["tournament_due_at"], unique=False)
    op.create_index(op.f("ix_game_tournament_id"), "game", ["tournament_id"], unique=False)
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("crediting", ID, nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "inbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("peer", sa.String(), nullable=False),
        sa.Column("results", sa.String(), nullable=False),
        sa.Column("mail_from", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("put_off", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("queue", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("asked_id", ID, nullable=True),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("handled_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("fingerprint"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_inbox_asked_id"), "inbox", ["asked_id"], unique=False)
    op.create_index(op.f("ix_inbox_game_id"), "inbox", ["game_id"], unique=False)
    op.create_index("ix_inbox_handled", "inbox", ["state", "handled_at"], unique=False)
    op.create_index("ix_inbox_mark", "inbox", ["mark"], unique=True)
    op.create_index(
        "ix_inbox_sealed",
        "inbox",
        ["state", "handled_at"],
        unique=False,
        sqlite_where=sa.text("sealed IS NOT NULL"),
        postgresql_where=sa.text("sealed IS NOT NULL"),
    )
    op.create_index("ix_inbox_turn", "inbox", ["state", "turn", "due_at"], unique=False)
    op.create_index(
        "ix_inbox_queue",
        "inbox",
        ["queue", "turn"],
        unique=False,
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )
    op.create_table(
        "intake",
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("budget", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", "budget"),
    )
    op.create_table(
        "knownkey",
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
    )
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=True),
        sa.Column("doubtful", sa.Boolean(), nullable=False),
        sa.Column("caused_by", sa.Integer(), nullable=True),
        sa.Column("actor_id", ID, nullable=True),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("refusal", sa.String(), nullable=False),
        sa.Column("failing_since", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index(
        "ix_outbox_actor",
        "outbox",
        ["actor_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("actor_id IS NOT NULL"),
        postgresql_where=sa.text("actor_id IS NOT NULL"),
    )
    op.create_index("ix_outbox_domain", "outbox", ["domain", "sent_at"], unique=False)
    op.create_index("ix_outbox_due", "outbox", ["state", "due_at"], unique=False)
    op.create_index(
        "ix_outbox_origin",
        "outbox",
        ["created_at"],
        unique=False,
        sqlite_where=sa.text("origin IS NOT NULL"),
        postgresql_where=sa.text("origin IS NOT NULL"),
    )
    op.create_index(op.f("ix_outbox_recipient"), "outbox", ["recipient"], unique=False)
    op.create_index("ix_outbox_sent", "outbox", ["state", "sent_at"], unique=False)
    op.create_table(
        "pauseddomain",
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("domain"),
    )
    op.create_table(
        "player",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("name_shape", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("bio", sa.String(), nullable=False),
        sa.Column("languages", sa.String(), nullable=False),
        sa.Column("computer", sa.Boolean(), nullable=False),
        sa.Column("strength", sa.Integer(), nullable=True),
        sa.Column("mail_stopped", sa.Boolean(), nullable=False),
        sa.Column("complained_at", sa.DateTime(), nullable=True),
        sa.Column("suspended_at", sa.DateTime(), nullable=True),
        sa.Column("bounce_score", sa.Integer(), nullable=False),
        sa.Column("bounced_at", sa.DateTime(), nullable=True),
        sa.Column("login_serial", sa.Integer(), nullable=False),
        sa.Column("reminders", sa.String(), nullable=False),
        sa.Column("reminded_at", sa.DateTime(), nullable=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("digest_at", sa.DateTime(), nullable=True),
        sa.Column("auto_vacation", sa.Boolean(), nullable=False),
        sa.Column("forced_moves", sa.Boolean(), nullable=False),
        sa.Column("choices", JSON, nullable=False),
        sa.Column("channel_id", ID, nullable=True),
        sa.Column("feed_key", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name_key"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_player_channel_id"), "player", ["channel_id"], unique=False)
    op.create_index(
        "ix_player_complained_at",
        "player",
        ["complained_at"],
        unique=False,
        sqlite_where=sa.text("complained_at IS NOT NULL"),
        postgresql_where=sa.text("complained_at IS NOT NULL"),
    )
    op.create_index(
        "ix_player_computer",
        "player",
        ["id"],
        unique=False,
        sqlite_where=sa.text("computer = 1"),
        postgresql_where=sa.text("computer"),
    )
    op.create_index(op.f("ix_player_digest_at"), "player", ["digest_at"], unique=False)
    op.create_index(op.f("ix_player_feed_key"), "player", ["feed_key"], unique=True)
    op.create_index(op.f("ix_player_name_shape"), "player", ["name_shape"], unique=True)
    op.create_index(op.f("ix_player_strength"), "player", ["strength"], unique=True)
    op.create_table(
        "policy",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "ticket",
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("mail", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
    )
    op.create_index(op.f("ix_ticket_since"), "ticket", ["since"], unique=False)
    op.create_table(
        "address",
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("logs_in", sa.Boolean(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("email"),
    )
    op.create_index(op.f("ix_address_player_id"), "address", ["player_id"], unique=False)
    op.create_table(
        "announcement",
        sa.Column("id", ID, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.Column("by_id", ID, nullable=True),
        sa.Column("mailed_to", ID, nullable=True),
        sa.Column("is_mailed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_announcement_mailed_to"), "announcement", ["mailed_to"], unique=False)
    op.create_index(op.f("ix_announcement_until"), "announcement", ["until"], unique=False)
    op.create_table(
        "apianswer",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "key"),
    )
    op.create_index(op.f("ix_apianswer_at"), "apianswer", ["at"], unique=False)
    op.create_table(
        "apitoken",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "number"),
    )
    op.create_index(op.f("ix_apitoken_fingerprint"), "apitoken", ["fingerprint"], unique=True)
    op.create_table(
        "assessedgame",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("answer", JSON, nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("game_id"),
    )
    op.create_table(
        "auditentry",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("by_id", ID, nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("why", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_auditentry_by_id"), "auditentry", ["by_id"], unique=False)
    op.create_index(op.f("ix_auditentry_game_id"), "auditentry", ["game_id"], unique=False)
    op.create_index(op.f("ix_auditentry_player_id"), "auditentry", ["player_id"], unique=False)
    op.create_table(
        "ban",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=True),
        sa.Column("why", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id"),
    )
    op.create_index(op.f("ix_ban_since"), "ban", ["since"], unique=False)
    op.create_table(
        "browser",
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("login", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["channel_id"],
            ["channel.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("channel_id"),
    )
    op.create_index(op.f("ix_browser_player_id"), "browser", ["player_id"], unique=False)
    op.create_table(
        "change",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("old_agrees", sa.Boolean(), nullable=False),
        sa.Column("new_agrees", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_change_due_at"), "change", ["due_at"], unique=False)
    op.create_index(op.f("ix_change_player_id"), "change", ["player_id"], unique=False)
    op.create_table(
        "conduct",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("answers", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_index("ix_conduct_player_id_serial", "conduct", ["player_id", "serial"], unique=False)
    op.create_table(
        "entry",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.Column("body", JSON, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("position", JSON, nullable=True),
        sa.Column("checksum", sa.String(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "number"),
        sa.UniqueConstraint("game_id", "turn"),
    )
    op.create_table(
        "envelope",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("written_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "turn", "seat"),
    )
    op.create_table(
        "failure",
        sa.Column("id", ID, nullable=False),
        sa.Column("job", sa.String(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("tournament_id", ID, nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("job", "game_id"),
        sa.UniqueConstraint("job", "player_id"),
    )
    op.create_index(op.f("ix_failure_due_at"), "failure", ["due_at"], unique=False)
    op.create_index("ix_failure_job_tournament_id", "failure", ["job", "tournament_id"], unique=True)
    op.create_index(op.f("ix_failure_since"), "failure", ["since"], unique=False)
    op.create_table(
        "follow",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("other_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "other_id"),
    )
    op.create_index(op.f("ix_follow_other_id"), "follow", ["other_id"], unique=False)
    op.create_table(
        "gamemessage",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("listener", sa.Integer(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_gamemessage_game_id"), "gamemessage", ["game_id"], unique=False)
    op.create_table(
        "gift",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_gift_game_id"), "gift", ["game_id"], unique=False)
    op.create_table(
        "habit",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("answers", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id"),
    )
    op.create_table(
        "inquiry",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("by_mail", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=True),
        sa.Column("answer", JSON, nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_inquiry_due_at"), "inquiry", ["due_at"], unique=False)
    op.create_index(op.f("ix_inquiry_game_id"), "inquiry", ["game_id"], unique=False)
    op.create_index("ix_inquiry_player_id_asked_at", "inquiry", ["player_id", "asked_at"], unique=False)
    op.create_table(
        "login",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("seen_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "number"),
    )
    op.create_index(op.f("ix_login_seen_at"), "login", ["seen_at"], unique=False)
    op.create_table(
        "notice",
        sa.Column("id", ID, nullable=False),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seats", JSON, nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"],
            ["channel.id"],
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "turn", "channel_id"),
    )
    op.create_index(op.f("ix_notice_channel_id"), "notice", ["channel_id"], unique=False)
    op.create_index(op.f("ix_notice_due_at"), "notice", ["due_at"], unique=False)
    op.create_table(
        "passkey",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("credential", sa.String(), nullable=False),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("sign_count", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("added_at", sa.DateTime(), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "number"),
    )
    op.create_index(op.f("ix_passkey_credential"), "passkey", ["credential"], unique=True)
    op.create_table(
        "pause",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("start_at", sa.DateTime(), nullable=False),
        sa.Column("end_at", sa.DateTime(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_pause_end_at"), "pause", ["end_at"], unique=False)
    op.create_index(op.f("ix_pause_game_id"), "pause", ["game_id"], unique=False)
    op.create_index("ix_pause_whose", "pause", ["player_id", "game_id", "end_at"], unique=False)
    op.create_table(
        "rating",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game_type", sa.String(), nullable=False),
        sa.Column("pace", sa.String(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "game_type", "pace"),
    )
    op.create_table(
        "ratingchange",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("game_type", sa.String(), nullable=False),
        sa.Column("pace", sa.String(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "player_id"),
    )
    op.create_index("ix_ratingchange_player_id_serial", "ratingchange", ["player_id", "serial"], unique=False)
    op.create_table(
        "relation",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("other_id", ID, nullable=False),
        sa.Column("blocked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "other_id"),
    )
    op.create_index(op.f("ix_relation_other_id"), "relation", ["other_id"], unique=False)
    op.create_table(
        "seat",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("joined_at", sa.DateTime(), nullable=True),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        sa.Column("invited_as", sa.String(), nullable=False),
        sa.Column("client_seed", sa.String(), nullable=False),
        sa.Column("owes", sa.Boolean(), nullable=False),
        sa.Column("thinking_until", sa.DateTime(), nullable=True),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("thought", sa.Integer(), nullable=True),
        sa.Column("misses", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(), nullable=True),
        sa.Column("grace_until", sa.DateTime(), nullable=True),
        sa.Column("remind_at", sa.DateTime(), nullable=True),
        sa.Column("reminded_at", sa.DateTime(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("over_at", sa.DateTime(), nullable=True),
        sa.Column("overdue", sa.Boolean(), nullable=False),
        sa.Column("absent_turn", sa.Integer(), nullable=True),
        sa.Column("heard_turn", sa.Integer(), nullable=True),
        sa.Column("stood_turn", sa.Integer(), nullable=True),
        sa.Column("muted_until", sa.DateTime(), nullable=True),
        sa.Column("channel_id", ID, nullable=True),
        sa.Column("undo_of", sa.Integer(), nullable=True),
        sa.Column("sealed_conditions", sa.LargeBinary(), nullable=True),
        sa.Column("sealed_words", sa.LargeBinary(), nullable=True),
        sa.Column("untold_turn", sa.Integer(), nullable=True),
        sa.Column("untold_at", sa.DateTime(), nullable=True),
        sa.Column("deferred_until", sa.DateTime(), nullable=True),
        sa.Column("page_at", sa.DateTime(), nullable=True),
        sa.Column("seen_turn", sa.Integer(), nullable=True),
        sa.Column("seen_message", ID, nullable=True),
        sa.Column("sealed_aside", sa.LargeBinary(), nullable=True),
        sa.Column("draw_turn", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "number"),
    )
    op.create_index(op.f("ix_seat_channel_id"), "seat", ["channel_id"], unique=False)
    op.create_index(op.f("ix_seat_grace_until"), "seat", ["grace_until"], unique=False)
    op.create_index(op.f("ix_seat_deferred_until"), "seat", ["deferred_until"], unique=False)
    op.create_index(
        "ix_seat_invited_as",
        "seat",
        ["invited_as"],
        unique=False,
        sqlite_where=sa.text("invited_as != ''"),
        postgresql_where=sa.text("invited_as != ''"),
    )
    op.create_index(op.f("ix_seat_muted_until"), "seat", ["muted_until"], unique=False)
    op.create_index("ix_seat_owes_player_id", "seat", ["owes", "player_id"], unique=False)
    op.create_index("ix_seat_player_id_game_id", "seat", ["player_id", "game_id"], unique=False)
    op.create_index("ix_seat_player_id_over_at", "seat", ["player_id", "over_at", "game_id"], unique=False)
    op.create_index(op.f("ix_seat_remind_at"), "seat", ["remind_at"], unique=False)
    op.create_table(
        "spectatormessage",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_spectatormessage_game_id"), "spectatormessage", ["game_id"], unique=False)
    op.create_index(op.f("ix_spectatormessage_player_id"), "spectatormessage", ["player_id"], unique=False)
    op.create_table(
        "staff",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("sealed_factor", sa.LargeBinary(), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(), nullable=True),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("wrong_codes", sa.Integer(), nullable=False),
        sa.Column("wrong_since", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id"),
    )
    op.create_table(
        "tally",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game_type", sa.String(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("abandoned", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "game_type"),
    )
    op.create_table(
        "tournament",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game_type", sa.String(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("terms", JSON, nullable=False),
        sa.Column("plan", JSON, nullable=False),
        sa.Column("made_by", ID, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("told_round", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("closes_at", sa.DateTime(), nullable=False),
        sa.Column("ends_at", sa.DateTime(), nullable=True),
        sa.Column("over_at", sa.DateTime(), nullable=True),
        sa.Column("sealed_lot", sa.LargeBinary(), nullable=True),
        sa.Column("lot_hash", sa.String(), nullable=False),
        sa.Column("lot", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["made_by"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_tournament_due_at"), "tournament", ["due_at"], unique=False)
    op.create_index(op.f("ix_tournament_made_by"), "tournament", ["made_by"], unique=False)
    op.create_index("ix_tournament_state_id", "tournament", ["state", "id"], unique=False)
    op.create_table(
        "variation",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("link_hash", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("game_id", "player_id", "number"),
        sa.UniqueConstraint("game_id", "link_hash"),
    )
    op.create_table(
        "watch",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=True),
        sa.Column("last_message", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("player_id", "game_id"),
    )
    op.create_index(op.f("ix_watch_game_id"), "watch", ["game_id"], unique=False)
    op.create_table(
        "abusereport",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("message_id", ID, nullable=True),
        sa.Column("spectator_message_id", ID, nullable=True),
        sa.Column("speaker_id", ID, nullable=False),
        sa.Column("by_id", ID, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("reported_at", sa.DateTime(), nullable=False),
        sa.Column("resolved_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["by_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["gamemessage.id"],
        ),
        sa.ForeignKeyConstraint(
            ["speaker_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["spectator_message_id"],
            ["spectatormessage.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id", "by_id"),
        sa.UniqueConstraint("spectator_message_id", "by_id"),
    )
    op.create_index(op.f("ix_abusereport_by_id"), "abusereport", ["by_id"], unique=False)
    op.create_index(op.f("ix_abusereport_reported_at"), "abusereport", ["reported_at"], unique=False)
    op.create_index(op.f("ix_abusereport_speaker_id"), "abusereport", ["speaker_id"], unique=False)
    op.create_table(
        "entrant",
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("left", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
        ),
        sa.PrimaryKeyConstraint("tournament_id", "player_id"),
    )
    op.create_index(op.f("ix_entrant_player_id"), "entrant", ["player_id"], unique=False)
    op.create_table(
        "pairing",
        sa.Column("id", ID, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("first_id", ID, nullable=False),
        sa.Column("second_id", ID, nullable=True),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("adjudicate_at", sa.DateTime(), nullable=True),
        sa.Column("warned_at", sa.DateTime(), nullable=True),
        sa.Column("adjudicated", sa.Boolean(), nullable=False),
        sa.Column("first_points", sa.Float(), nullable=True),
        sa.Column("second_points", sa.Float(), nullable=True),
        sa.Column("first_thought", sa.Integer(), nullable=True),
        sa.Column("second_thought", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["first_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.ForeignKeyConstraint(
            ["second_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tournament_id", "round", "board", "leg"),
    )
    op.create_index("ix_pairing_game_id", "pairing", ["game_id"], unique=True)
    # ### end Alembic commands ###
