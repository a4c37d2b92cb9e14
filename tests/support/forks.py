"""Processes forked from one that has imported everything and done it once."""

from __future__ import annotations

import multiprocessing

PRELOADED = [
    "tests.support.e2e.nabu_process",
    "tests.e2e.test_two_workers",
    "server.cli.mail",
    "server.cli.run",
    "server.cli.web",
    "tests.server.cli.test_backup",
    "tests.server.cli.test_mail",
    "tests.server.cli.test_startup_checks",
    "tests.server.inbound.test_attempts",
    "tests.support.warm_process",
]

FORKS = multiprocessing.get_context("forkserver")
# There is one such server for all: anyone who named other modules would take these from all others.
FORKS.set_forkserver_preload(PRELOADED)
