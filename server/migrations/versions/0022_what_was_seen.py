"""A seat knows what its player has seen on the game's page"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the columns; what there is counts as seen."""
    op.add_column("seat", sa.Column("seen_turn", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("seen_press", ID, nullable=True))
    op.execute("UPDATE seat SET seen_turn = (SELECT turn FROM game WHERE game.id = seat.game_id)")
    op.execute("UPDATE seat SET seen_press = (SELECT MAX(id) FROM press WHERE press.game_id = seat.game_id)")


def downgrade() -> None:
    """Drop them."""
    op.drop_column("seat", "seen_press")
    op.drop_column("seat", "seen_turn")
