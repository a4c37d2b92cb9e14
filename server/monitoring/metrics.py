"""What is counted while Nabu runs, for Prometheus.

Where PROMETHEUS_MULTIPROC_DIR names a folder, as it does for the processes of `nabu serve`, each process counts
there, and the pages tell of all of them together.
"""

import os
from contextlib import suppress
from functools import lru_cache

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The name that the library gives it."""
_MOST_DOMAINS = 50
_OTHER = "other"

MAILS = Counter("nabu_mails", "Mails handled, by the way they came in and how that ended.", ["way", "end"])
TURNS = Counter("nabu_turns", "Turns stored, by game type.", ["game_type"])
DEADLINES = Counter("nabu_deadlines", "Times that ran out and were acted on.")
DELIVERIES = Counter(
    "nabu_deliveries",
    "Mails handed to the relay, by destination domain (the first fifty) and what became of them.",
    ["domain", "outcome"],
)
REQUESTS = Histogram("nabu_request_seconds", "Requests to the pages, by route and status.", ["route", "status"])
STATEMENTS = Histogram(
    "nabu_statement_seconds",
    "Statements to the database, by their first word.",
    ["verb"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
STARTED = Gauge(
    "nabu_started_seconds", "When a process last began, in Unix time.", ["process"], multiprocess_mode="max"
)

_domains: set[str] = set()


def count(counter: Counter, *labels: str) -> None:
    """Count one more. Whatever keeps that from being written keeps nothing else from being done."""
    with suppress(Exception):
        counter.labels(*labels).inc() if labels else counter.inc()


def measure(times: Histogram, seconds: float, *labels: str) -> None:
    """Count that something took so long, likewise."""
    with suppress(Exception):
        _labelled(times, labels).observe(seconds)


@lru_cache(maxsize=1000)
def _labelled(times: Histogram, labels: tuple[str, ...]) -> Histogram:
    """Looking it up takes three times as long as counting, and every statement is counted."""
    return times.labels(*labels)


def domain_label(domain: str) -> str:
    """The domain, if it is among the first that mail went to; there may be any number of others."""
    if domain not in _domains and len(_domains) < _MOST_DOMAINS:
        _domains.add(domain)
    return domain if domain in _domains else _OTHER


def registry(*more: Collector) -> CollectorRegistry:
    """All that is counted, and `more`."""
    found = CollectorRegistry()
    if os.environ.get(FOLDER):
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    else:
        for counted in (MAILS, TURNS, DEADLINES, DELIVERIES, REQUESTS, STATEMENTS, STARTED):
            found.register(counted)
    for collector in more:
        found.register(collector)
    return found


def serve(host: str, port: int) -> None:
    """Tell on a port what this process counts."""
    start_http_server(port, host, REGISTRY)
