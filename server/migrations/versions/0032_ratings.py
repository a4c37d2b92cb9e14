"""Games that are over are counted, and rated"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables, and have all games that are over counted."""
    with op.batch_alter_table("game") as batch:
        batch.add_column(sa.Column("count_due_at", sa.DateTime(), nullable=True))
        batch.add_column(sa.Column("serial", sa.Integer(), nullable=True))
    op.create_index("ix_game_count_due_at", "game", ["count_due_at"])
    op.create_index("ix_game_serial", "game", ["serial"], unique=True)
    op.create_index("ix_seat_player_id_outcome", "seat", ["player_id", "outcome"])
    op.execute("UPDATE game SET count_due_at = changed_at WHERE state = 'over'")
    op.create_table("ledger", sa.Column("id", sa.Integer(), primary_key=True), _number("counted"))
    op.create_table(
        "rating",
        *(_player(primary_key=True), *_words("kind", "pace", primary_key=True)),
        *(*_skill(), _number("games")),
    )
    op.create_table(
        "ratingchange",
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), primary_key=True),
        *(_player(primary_key=True), _number("serial"), *_words("kind", "pace", nullable=False), *_skill()),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_table(
        "tally",
        *(_player(primary_key=True), *_words("kind", primary_key=True)),
        *(_number(name) for name in ("won", "drawn", "lost", "abandoned")),
    )
    op.create_table(
        "conduct",
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        *(_player(nullable=False), _number("serial"), _answers()),
    )
    op.create_table("habit", _player(primary_key=True), _answers())
    for table in ("ratingchange", "conduct"):
        op.create_index(f"ix_{table}_player_id_serial", table, ["player_id", "serial"])


def downgrade() -> None:
    """Drop them."""
    for table in ("habit", "conduct", "tally", "ratingchange", "rating", "ledger"):
        op.drop_table(table)
    op.drop_index("ix_seat_player_id_outcome", "seat")
    op.drop_index("ix_game_serial", "game")
    op.drop_index("ix_game_count_due_at", "game")
    with op.batch_alter_table("game") as batch:
        batch.drop_column("serial")
        batch.drop_column("count_due_at")


def _player(**how: Any) -> sa.Column[Any]:
    return sa.Column("player_id", ID, sa.ForeignKey("player.id"), **how)


def _words(*names: str, **how: Any) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.String(), **how) for name in names]


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _skill() -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Float(), nullable=False) for name in ("mu", "sigma")]


def _answers() -> sa.Column[Any]:
    return sa.Column("answers", sa.JSON(), nullable=False)
