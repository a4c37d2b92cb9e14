"""Create the tables of the models (baseline before the first release)

No release has other tables, so only `server/store/models` defines them. Before there is a second migration,
this one must name all columns itself, as the models then have those of the second.
"""

from alembic import op
from sqlmodel import SQLModel

revision = "0062"
down_revision = None


def upgrade() -> None:
    SQLModel.metadata.create_all(op.get_bind(), checkfirst=False)
