"""What a player chooses among a few ways is kept with them"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has chosen yet."""
    op.add_column("player", sa.Column("choices", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("player", "choices")
