"""The first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True)
_TABLES = (
    *("heartbeat", "gift", "pause", "seat", "press", "envelope", "entry"),
    *("address", "player", "outbox", "inbox", "game"),
)


def upgrade() -> None:
    """Make the tables of players, games and mail."""
    op.create_table(
        "game",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("setup", JSON, nullable=False),
        sa.Column("sealed_seed", sa.LargeBinary(), nullable=False),
        sa.Column("seed_hash", sa.String(), nullable=False),
        sa.Column("asked", JSON, nullable=False),
        sa.Column("house", JSON, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("position", JSON, nullable=False),
        sa.Column("memory", JSON, nullable=False),
        sa.Column("rolled", JSON, nullable=True),
        sa.Column("result", JSON, nullable=True),
        sa.Column("resolve_at", sa.DateTime(), nullable=True),
        sa.Column("turn_began_at", sa.DateTime(), nullable=True),
        sa.Column("stale_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_game_resolve_at", "game", ["resolve_at"])
    op.create_index("ix_game_stale_at", "game", ["stale_at"])

    op.create_table(
        "inbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("peer", sa.String(), nullable=False),
        sa.Column("results", sa.String(), nullable=False),
        sa.Column("mail_from", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("handled_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("fingerprint"),
    )
    op.create_index("ix_inbox_due", "inbox", ["state", "due_at"])
    op.create_index("ix_inbox_game_id", "inbox", ["game_id"])

    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("game_id", ID, nullable=True),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_outbox_domain", "outbox", ["domain", "sent_at"])
    op.create_index("ix_outbox_due", "outbox", ["state", "due_at"])
    op.create_index("ix_outbox_recipient", "outbox", ["recipient"])

    op.create_table(
        "player",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("computer", sa.Boolean(), nullable=False),
        sa.Column("mail_stopped", sa.Boolean(), nullable=False),
        sa.Column("complained_at", sa.DateTime(), nullable=True),
        sa.Column("suspended_at", sa.DateTime(), nullable=True),
        sa.Column("bounce_score", sa.Integer(), nullable=False),
        sa.Column("bounced_at", sa.DateTime(), nullable=True),
        sa.Column("login_serial", sa.Integer(), nullable=False),
        sa.Column("logged_in_since", sa.Integer(), nullable=False),
        sa.Column("reminders", sa.String(), nullable=False),
        sa.Column("reminded_at", sa.DateTime(), nullable=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("digest_at", sa.DateTime(), nullable=True),
        sa.Column("auto_vacation", sa.Boolean(), nullable=False),
        sa.Column("forced_moves", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name_key"),
    )
    op.create_table(
        "address",
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("email"),
    )
    op.create_index("ix_player_digest_at", "player", ["digest_at"])
    op.create_index("ix_address_player_id", "address", ["player_id"])

    op.create_table(
        "entry",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.Column("body", JSON, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("position", JSON, nullable=True),
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
        "press",
        sa.Column("id", ID, nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_press_game_id", "press", ["game_id"])

    op.create_table(
        "seat",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("luck", sa.String(), nullable=False),
        sa.Column("owes", sa.Boolean(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("misses", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("deadline_at", sa.DateTime(), nullable=True),
        sa.Column("grace_until", sa.DateTime(), nullable=True),
        sa.Column("remind_at", sa.DateTime(), nullable=True),
        sa.Column("reminded_at", sa.DateTime(), nullable=True),
        sa.Column("overdue", sa.Boolean(), nullable=False),
        sa.Column("absent_turn", sa.Integer(), nullable=True),
        sa.Column("heard_turn", sa.Integer(), nullable=True),
        sa.Column("muted_until", sa.DateTime(), nullable=True),
        sa.Column("undo_of", sa.Integer(), nullable=True),
        sa.Column("sealed_conditions", sa.LargeBinary(), nullable=True),
        sa.Column("untold_turn", sa.Integer(), nullable=True),
        sa.Column("untold_at", sa.DateTime(), nullable=True),
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
    op.create_index("ix_seat_grace_until", "seat", ["grace_until"])
    op.create_index("ix_seat_muted_until", "seat", ["muted_until"])
    op.create_index("ix_seat_owes", "seat", ["owes"])
    op.create_index("ix_seat_player_id", "seat", ["player_id"])
    op.create_index("ix_seat_remind_at", "seat", ["remind_at"])

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
            ["player_id"],
            ["player.id"],
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_pause_end_at", "pause", ["end_at"])
    op.create_index("ix_pause_game_id", "pause", ["game_id"])
    op.create_index("ix_pause_player_id", "pause", ["player_id"])
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
    op.create_index("ix_gift_game_id", "gift", ["game_id"])
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("crediting", ID, nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """Drop every table."""
    for table in _TABLES:
        op.drop_table(table)
