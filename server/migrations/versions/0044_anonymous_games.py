"""Games can keep secret who plays until they are over"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Until now everybody could see who played."""
    op.add_column("game", sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("game", "anonymous")
