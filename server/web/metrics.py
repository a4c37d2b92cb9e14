"""Metrics for Prometheus: counters, and the health of Nabu."""

import hmac
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from flask import Blueprint, Flask, abort, g, request
from prometheus_client import generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from werkzeug.wrappers import Response

from server.admin.health import Health, health
from server.monitoring import metrics
from server.monitoring.metrics import REQUESTS, registry
from server.web.shared.visits import looking, services

pages = Blueprint("metrics", __name__)

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_HERE = ("127.0.0.1", "::1")
_NAMES = ("127.0.0.1", "localhost", "[::1]")


@pages.get("/metrics")
def show() -> Response:
    """Return all metrics.

    Requires the bearer token of the settings; without one in the settings, only this machine has access.
    """
    if not _may_look():
        abort(404)
    with looking() as visit:
        state = health(visit.session, visit.action.now)
    return Response(generate_latest(registry(_States(state))), content_type=CONTENT_TYPE_LATEST)


def measure(app: Flask) -> None:
    """Measure the duration of each request, by endpoint."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        if "began" in g:
            seconds = time.perf_counter() - g.began
            metrics.measure(REQUESTS, seconds, request.endpoint or "none", str(response.status_code))
        return response


def _may_look() -> bool:
    token = services().settings.metrics_token
    if token:
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
    # Requests through a proxy on this machine have this address, but a forwarded header or another host name.
    name = request.host.rpartition(":")[0] or request.host
    return request.remote_addr in _HERE and "X-Forwarded-For" not in request.headers and name in _NAMES


class _States(Collector):
    """The health of Nabu in numbers."""

    def __init__(self, state: Health) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        state = self._state
        for name, told, moment in (
            (
                "nabu_worker_silent_seconds",
                "Seconds since a worker was last active.",
                state.worker_at or _NEVER,
            ),
            (
                "nabu_mail_in_silent_seconds",
                "Seconds since email was last received, or could have been.",
                state.mail_at,
            ),
            (
                "nabu_inbox_age_seconds",
                "Age of the oldest incoming email that waits to be handled.",
                state.came_in,
            ),
            ("nabu_outbox_age_seconds", "Age of the oldest outgoing email that is due.", state.due_out),
            ("nabu_deadline_lag_seconds", "Seconds by which the oldest deadline is overdue.", state.ran_out),
            (
                "nabu_mail_out_failing_seconds",
                "Seconds since the relay last accepted email.",
                state.mail_out_fails,
            ),
            (
                "nabu_backup_age_seconds",
                "Age of the last backup; without one, of the oldest game.",
                state.backup.backup_at or state.first_game_at,
            ),
            (
                "nabu_backup_verified_seconds",
                "Seconds since a backup was verified; without that, age of the oldest game.",
                state.backup.verified_at or state.first_game_at,
            ),
        ):
            yield GaugeMetricFamily(name, told, value=self._since(moment))
        yield GaugeMetricFamily(
            "nabu_backup_bytes", "Size of the last backup.", value=state.backup.backup_bytes or 0
        )
        yield GaugeMetricFamily(
            "nabu_failing", "Games and players with repeated failures.", value=state.failing
        )
        if state.disk_free is not None:
            told = "Free space on the disk of the database."
            yield GaugeMetricFamily("nabu_disk_free_bytes", told, value=state.disk_free)
        troubles = sum(1 for _ in state.troubles())
        yield GaugeMetricFamily("nabu_troubles", "Problems that need an administrator.", value=troubles)

    def _since(self, moment: datetime | None) -> float:
        return 0.0 if moment is None else max(0.0, (self._state.now - moment).total_seconds())
