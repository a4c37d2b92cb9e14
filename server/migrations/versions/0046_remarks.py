"""Spectators can say something to one another"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Until now only players could."""
    op.create_table(
        "remark",
        sa.Column("id", ID, primary_key=True),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=False),
    )
    for column in ("game_id", "player_id"):
        op.create_index(f"ix_remark_{column}", "remark", [column])
    op.add_column("watch", sa.Column("remark", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("reported") as table:
        table.alter_column("press_id", existing_type=ID, nullable=True)
        table.add_column(sa.Column("remark_id", ID, nullable=True))
        table.create_foreign_key("fk_reported_remark_id", "remark", ["remark_id"], ["id"])
        table.create_unique_constraint("uq_reported_remark_id_by_id", ["remark_id", "by_id"])


def downgrade() -> None:
    """Drop the remarks, and what was reported of them."""
    op.execute("DELETE FROM reported WHERE press_id IS NULL")
    with op.batch_alter_table("reported") as table:
        table.drop_constraint("uq_reported_remark_id_by_id", type_="unique")
        table.drop_constraint("fk_reported_remark_id", type_="foreignkey")
        table.drop_column("remark_id")
        table.alter_column("press_id", existing_type=ID, nullable=False)
    op.drop_column("watch", "remark")
    op.drop_table("remark")
