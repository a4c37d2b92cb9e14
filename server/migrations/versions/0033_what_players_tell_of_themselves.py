"""A line about each player, and the languages they speak"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both, empty."""
    with op.batch_alter_table("player") as batch:
        for name in ("bio", "languages"):
            batch.add_column(sa.Column(name, sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("player") as batch:
        for name in ("bio", "languages"):
            batch.drop_column(name)
