"""Errors of ours, told to Sentry or what understands it, if the administrator names one."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sentry_sdk.types import Event

_KEPT = ("type", "module", "stacktrace")


def tell(address: str, process: str) -> None:
    """Tell `address` (a DSN) of each error that is logged from now on; with "" nothing is told.

    What is told is where in the program it happened, and what was logged. No value of a variable, message of an
    exception, address, request or name of this machine is: they may hold what players wrote.

    Raises ValueError for an address that is none.
    """
    if not address:
        return
    # Imported here: hardly anybody uses it, and it takes its time.
    import sentry_sdk
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=address,
        integrations=[LoggingIntegration(level=None)],
        default_integrations=False,
        auto_enabling_integrations=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name=process,
        before_send=_without_words,
    )


def _without_words(event: "Event", _hint: dict[str, Any]) -> "Event":
    for error in (event.get("exception") or {}).get("values", []):
        for name in set(error) - set(_KEPT):
            del error[name]
    if "logentry" in event:
        # As it stands in the program, without what was put into it.
        event["logentry"] = {"message": str(event["logentry"].get("message", ""))}
    for name in ("request", "user", "extra", "breadcrumbs", "modules"):
        event.pop(name, None)  # type: ignore[misc]
    return event
