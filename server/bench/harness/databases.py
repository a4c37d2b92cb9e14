"""New databases for measurements, deleted afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import click
from sqlalchemy import create_engine, make_url, text

server_option = click.option(
    "--server", help="URL of a PostgreSQL server to measure with; it must allow new databases. Default: SQLite."
)


@contextmanager
def new_database(server: str | None) -> Iterator[str]:
    """Create a database without tables, yield its URL, and delete it.

    It is on the PostgreSQL server of the URL `server`, whose user must be allowed to create databases; without
    a URL, it is a SQLite file.
    """
    if server is None:
        with TemporaryDirectory(prefix="nabu-bench-") as folder:
            yield f"sqlite:///{Path(folder) / 'nabu.db'}"
        return
    name = f"nabu_bench_{uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()
