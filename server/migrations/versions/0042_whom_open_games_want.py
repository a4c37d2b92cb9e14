"""Open games can have conditions for those who join"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; all games that are open are so to anybody."""
    op.add_column("game", sa.Column("wanted", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("game", "wanted")
