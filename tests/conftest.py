"""The choice of tests, databases and random values for each run."""

from __future__ import annotations

import gc
import os
import re
import threading
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings

from tests.support import speed
from tests.support.costs import Costs
from tests.support.folders import E2E, SERVER
from tests.support.random_values import run_seed, seed_from
from tests.support.speed import Compiled, share_compiled, share_rules

settings.register_profile("local", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)

# Each test has its own pages; their compiled templates are the same in all of them.
Flask.jinja_options = {"bytecode_cache": Compiled()}
# Nor does the SQL differ: without this, compiling it takes a third of the time of a test.
share_compiled()
share_rules()
speed.do_not_wait_for_disks()


LONG = 1800
"""Seconds that a long test may take."""
_EXAMPLES = 30
"""Random inputs that Hypothesis tries for a test if no long tests run; else 100. `examples` changes both."""
_MOST_THREADS = 200
_GARBAGE = (20_000, 20, 20)
"""The number of new objects after which the collector looks for garbage, and when it looks at older ones."""
_OF_ROWS = (SERVER / "store", SERVER / "backup")
"""Folders whose tests run on both databases; elsewhere only tests marked `both` do."""
_SLOW_FOLDERS = (
    E2E,
    *(SERVER / folder for folder in ("bench", "cli", "jobs", "admin", "tournaments", "web")),
)
_SLOW_FIXTURES = {"app", "dovecot", "mailservers", "postfix", "postgres"}
"""`make check` leaves out tests in these folders, and tests that use these fixtures: they start programs, or go
through all layers of the server."""
_SAMPLED_FOLDERS = tuple(SERVER / folder for folder in ("game", "inbound", "outbound"))
_SAMPLED = 5
"""Of the tests in these folders, `make check` runs one in five of each file."""
_ON_POSTGRESQL = 3
"""Of the tests that run on both databases, `make test` runs one in three of each file on PostgreSQL, too."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--costs FILE`."""
    parser.addoption("--costs", help="write what each test costs to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile of Hypothesis; register the plugin that measures costs, if `--costs` is given."""
    profile = settings.get_profile("ci" if os.environ.get("CI") else "local")
    if "not long" in config.getoption("markexpr"):
        profile = settings(parent=profile, max_examples=_EXAMPLES)
    settings.register_profile("run", parent=profile)
    settings.load_profile("run")
    if file := config.getoption("--costs"):
        config.pluginmanager.register(Costs(Path(file)))


def pytest_report_header() -> str:
    """Print the seed by which a run can be repeated."""
    return f"random values: TEST_SEED={run_seed()}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers: more than cores, as many tests wait for mail servers and browsers."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on SQLite, or on both databases, unless it is parametrized by `database` itself."""
    if "database" in metafunc.fixturenames and not _names_databases(metafunc.definition):
        test = metafunc.definition
        both = _is_in(test.path, _OF_ROWS) or test.get_closest_marker("both")
        metafunc.parametrize("database", ["sqlite", "postgresql"] if both else ["sqlite"])


def _names_databases(test: pytest.Item) -> bool:
    return any("database" in mark.args[0] for mark in test.iter_markers("parametrize"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are imported: there is hardly any, and that takes a sixth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow the tests that `make check` leaves out, and give long tests a longer time limit.

    The tests that take longest start first, so that no core is idle at the end.
    """
    for item in _beyond_samples(items):
        item.add_marker(pytest.mark.long)
    short = {item.nodeid: item for item in items if not _is_long(item)}
    both = [item for item in short.values() if _on_postgresql(item) and _on_sqlite(item) in short]
    for item in _beyond(_ON_POSTGRESQL, both):
        item.add_marker(pytest.mark.long)
    slow = {item for item in items if _is_slow(item)}
    sampled = {item for item in items if _is_in(item.path, _SAMPLED_FOLDERS) and not _is_long(item)}
    for item in (*slow, *_beyond(_SAMPLED, sampled - slow)):
        item.add_marker(pytest.mark.slow)
    for item in items:
        if _is_long(item):
            item.add_marker(pytest.mark.timeout(LONG))
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def _beyond_samples(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the cases of tests marked `sample` that are not drawn: by their names, so that all runs agree."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for test in cases.values():
        (count,) = next(test[0].iter_markers("sample")).args
        yield from _by_name(test)[count:]


def _beyond(share: int, items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield all but one in `share` of these tests in each file, by their names."""
    files: defaultdict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[item.path].append(item)
    for tests in files.values():
        yield from _by_name(tests)[-(-len(tests) // share) :]


def _by_name(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return tests in an order that depends on nothing but their names."""
    return sorted(items, key=lambda item: crc32(item.nodeid.encode()))


def _is_slow(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return _is_in(item.path, _SLOW_FOLDERS) or bool(fixtures & _SLOW_FIXTURES) or _on_postgresql(item)


def _is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None


def _on_postgresql(item: pytest.Item) -> bool:
    return "postgresql" in re.split(r"[\[\]-]", item.name)


def _on_sqlite(item: pytest.Item) -> str:
    """Return the name of the same test on SQLite."""
    return item.nodeid.replace("postgresql", "sqlite")


@cache
def _is_in(file: Path, folders: tuple[Path, ...]) -> bool:
    """Return whether a file is in one of the folders; asked for every test, known for every file."""
    return any(file.is_relative_to(folder) for folder in folders)


def pytest_collection_finish() -> None:
    """Exempt the tests and their imports from garbage collection: they are many objects that stay anyway.

    Look for other garbage less often than usual: looking as often as usual takes a sixth of the time of a test.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture of a test, whatever its scope, draws anything."""
    seed_from(item.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Fail if a test leaves many threads behind: browsers of later tests would hang."""
    assert threading.active_count() < _MOST_THREADS
