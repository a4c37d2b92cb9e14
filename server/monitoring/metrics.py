"""Metrics for Prometheus.

If PROMETHEUS_MULTIPROC_DIR names a folder, as it does for the processes of `nabu serve`, each process stores
its metrics there, and `/metrics` returns the totals of all processes.
"""

import os
from contextlib import suppress
from functools import lru_cache

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable's name, which the library defines."""
_MOST_DOMAINS = 50
_OTHER = "other"

MAILS = Counter("nabu_mails", "Incoming emails handled, by way in and outcome.", ["way", "end"])
TURNS = Counter("nabu_turns", "Turns stored, by game type.", ["game_type"])
DEADLINES = Counter("nabu_deadlines", "Expired deadlines that were handled.")
DELIVERIES = Counter(
    "nabu_deliveries",
    "Emails given to the relay, by destination domain (the first fifty) and outcome.",
    ["domain", "outcome"],
)
REQUESTS = Histogram(
    "nabu_request_seconds", "Duration of web requests in seconds, by route and status.", ["route", "status"]
)
STATEMENTS = Histogram(
    "nabu_statement_seconds",
    "Duration of database statements in seconds, by their first word.",
    ["verb"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
STARTED = Gauge(
    "nabu_started_seconds", "The last start of a process, in Unix time.", ["process"], multiprocess_mode="max"
)

_domains: set[str] = set()


def count(counter: Counter, *labels: str) -> None:
    """Increment a counter. Errors are ignored, so that metrics never disturb the work."""
    with suppress(Exception):
        counter.labels(*labels).inc() if labels else counter.inc()


def measure(times: Histogram, seconds: float, *labels: str) -> None:
    """Record a duration, ignoring errors like `count`."""
    with suppress(Exception):
        _labelled(times, labels).observe(seconds)


@lru_cache(maxsize=1000)
def _labelled(times: Histogram, labels: tuple[str, ...]) -> Histogram:
    """Return the labelled histogram; cached, as looking it up takes three times as long as counting."""
    return times.labels(*labels)


def domain_label(domain: str) -> str:
    """Return the domain if it is among the first fifty that were used, else "other", to limit the labels."""
    if domain not in _domains and len(_domains) < _MOST_DOMAINS:
        _domains.add(domain)
    return domain if domain in _domains else _OTHER


def registry(*more: Collector) -> CollectorRegistry:
    """Return a registry of all metrics and of `more` collectors."""
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
    """Serve the metrics of this process on a port."""
    start_http_server(port, host, REGISTRY)
