"""Seats know since when their games are over"""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_BEFORE = {
    "ix_seat_player_id": ["player_id"],
    "ix_seat_player_id_outcome": ["player_id", "outcome"],
    "ix_seat_owes": ["owes"],
}
_AFTER = {
    "ix_seat_player_id_game_id": ["player_id", "game_id"],
    "ix_seat_player_id_over_at": ["player_id", "over_at", "game_id"],
    "ix_seat_owes_player_id": ["owes", "player_id"],
}


def upgrade() -> None:
    """Add the column, note it for the games that there are, and index seats by what they are sorted by."""
    with op.batch_alter_table("seat") as batch:
        batch.add_column(sa.Column("over_at", sa.DateTime(), nullable=True))
    op.execute(
        "UPDATE seat SET over_at = "
        "(SELECT changed_at FROM game WHERE game.id = seat.game_id AND state IN ('over', 'declined'))"
    )
    _index(_BEFORE, _AFTER)


def downgrade() -> None:
    """Drop it, and have the indexes that there were."""
    _index(_AFTER, _BEFORE)
    with op.batch_alter_table("seat") as batch:
        batch.drop_column("over_at")


def _index(dropped: dict[str, list[str]], made: dict[str, list[str]]) -> None:
    for name in dropped:
        op.drop_index(name, "seat")
    for name, columns in made.items():
        op.create_index(name, "seat", columns)
