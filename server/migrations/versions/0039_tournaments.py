"""There are tournaments"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables, and let games and failures belong to a tournament; none does yet."""
    op.create_table(
        "tournament",
        sa.Column("id", ID, primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("made_by", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("told_round", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("closes_at", sa.DateTime(), nullable=False),
        sa.Column("ends_at", sa.DateTime(), nullable=True),
        sa.Column("over_at", sa.DateTime(), nullable=True),
        sa.Column("due_at", sa.DateTime(), nullable=True),
    )
    op.create_index("ix_tournament_state_id", "tournament", ["state", "id"])
    op.create_index("ix_tournament_made_by", "tournament", ["made_by"])
    op.create_index("ix_tournament_due_at", "tournament", ["due_at"])
    op.create_table(
        "entrant",
        sa.Column("tournament_id", ID, sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("left", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "player_id"),
    )
    op.create_index("ix_entrant_player_id", "entrant", ["player_id"])
    op.create_table(
        "pairing",
        sa.Column("id", ID, primary_key=True),
        sa.Column("tournament_id", ID, sa.ForeignKey("tournament.id"), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("first_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("second_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("game_id", ID, sa.ForeignKey("game.id"), nullable=True),
        sa.Column("settle_at", sa.DateTime(), nullable=True),
        sa.Column("warned_at", sa.DateTime(), nullable=True),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("first_points", sa.Float(), nullable=True),
        sa.Column("second_points", sa.Float(), nullable=True),
        sa.UniqueConstraint("tournament_id", "round", "board", "leg"),
    )
    op.create_index("ix_pairing_game_id", "pairing", ["game_id"], unique=True)
    op.add_column("game", sa.Column("tournament_id", ID, nullable=True))
    op.create_index("ix_game_tournament_id", "game", ["tournament_id"])
    op.add_column("game", sa.Column("tournament_due_at", sa.DateTime(), nullable=True))
    op.create_index("ix_game_tournament_due_at", "game", ["tournament_due_at"])
    op.add_column("failure", sa.Column("tournament_id", ID, nullable=True))
    op.create_index("ix_failure_job_tournament_id", "failure", ["job", "tournament_id"], unique=True)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_failure_job_tournament_id", "failure")
    op.drop_column("failure", "tournament_id")
    op.drop_index("ix_game_tournament_due_at", "game")
    op.drop_column("game", "tournament_due_at")
    op.drop_index("ix_game_tournament_id", "game")
    op.drop_column("game", "tournament_id")
    op.drop_table("pairing")
    op.drop_table("entrant")
    op.drop_table("tournament")
