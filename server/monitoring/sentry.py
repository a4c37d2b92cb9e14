"""Error reports to Sentry or a compatible service, if the administrator sets NABU_SENTRY_DSN."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sentry_sdk.types import Event

_KEPT = ("type", "module", "stacktrace")


def tell(address: str, process: str) -> None:
    """Report each error that is logged from now on to `address` (a DSN); do nothing if it is "".

    A report contains the place in the program and the constant text of the log line. It contains no values of
    variables, no messages of exceptions, no addresses, no requests and no machine name, as these could contain
    text of players. Raises ValueError for an invalid address.
    """
    if not address:
        return
    # Imported here, as few installations use it and the import is slow.
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
        # The text in the program, without the values inserted into it.
        event["logentry"] = {"message": str(event["logentry"].get("message", ""))}
    for name in ("request", "user", "extra", "breadcrumbs", "modules"):
        event.pop(name, None)  # type: ignore[misc]
    return event
