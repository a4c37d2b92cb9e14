"""Computer players join open games that wait for long"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add when they do; those that are open now wait for people, as their players were told."""
    op.add_column("game", sa.Column("court_due_at", sa.DateTime(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("game", "court_due_at")
