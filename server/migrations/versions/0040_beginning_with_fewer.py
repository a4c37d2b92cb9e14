"""Those who sit at an open game can agree to begin with fewer"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has agreed to anything yet."""
    op.add_column("seat", sa.Column("agreed", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("seat", "agreed")
