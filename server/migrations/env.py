"""Run Alembic on the connection from `server.store.schema`."""

from alembic import context
from sqlmodel import SQLModel

from server.store import models

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    user_module_prefix=f"{models.__name__}.",
)
with context.begin_transaction():
    context.run_migrations()
