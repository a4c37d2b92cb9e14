"""A mail knows who is asked whether it is theirs"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column; mails about which somebody was asked have a state of their own from now on."""
    op.add_column("inbox", sa.Column("asked_id", ID, nullable=True))
    op.create_index("ix_inbox_asked_id", "inbox", ["asked_id"])
    op.execute(
        "UPDATE inbox SET state = 'asked' "
        "WHERE state = 'held' AND why = 'the sender is not certainly the player'"
    )
    op.execute("UPDATE outbox SET letter = 'asked' WHERE letter = 'stranger'")


def downgrade() -> None:
    """Drop it."""
    op.execute("UPDATE inbox SET state = 'held' WHERE state = 'asked'")
    op.execute("UPDATE outbox SET letter = 'stranger' WHERE letter = 'asked'")
    op.drop_index("ix_inbox_asked_id", "inbox")
    op.drop_column("inbox", "asked_id")
