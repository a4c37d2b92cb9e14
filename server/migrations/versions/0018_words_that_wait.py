"""What was written beside a move waits until its writer decides about it"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nothing waits yet."""
    op.add_column("seat", sa.Column("sealed_words", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("seat", "sealed_words")
