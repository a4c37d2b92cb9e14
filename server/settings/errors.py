"""Sentences about wrong settings, all in one form: `NAME=value: problem. Example: NAME=…`."""

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from server.settings import Settings
from server.settings.value_types import HIDDEN

_LONGEST = 80
"""The number of characters of a wrong value that are shown."""
_NO_NUMBER = ("int_", "greater_", "less_")
"""The beginnings of pydantic's types of errors in numbers."""


def variable(name: str) -> str:
    """Return the environment variable of a setting, for example NABU_MAIL_DOMAIN of `mail_domain`."""
    return f"NABU_{name.upper()}"


def wrong(name: str, value: str, problem: str) -> str:
    """Return the sentence about a wrong value of a setting, with an example of a right one.

    For example, `NABU_SMTP_LISTEN=8000: must be HOST:PORT. Example: NABU_SMTP_LISTEN=0.0.0.0:25`.
    """
    field = Settings.model_fields[name]
    return f"{unusable(name, value, problem)} Example: {variable(name)}={example(field)}"


def unusable(name: str, value: str, problem: object) -> str:
    """Return the sentence about a value that is well formed, but cannot be used on this machine now."""
    field = Settings.model_fields[name]
    return f"{variable(name)}={printable(field, value)}: {str(problem).removesuffix('.')}."


def wrong_value(detail: ErrorDetails) -> str:
    """Return the sentence about an error that pydantic has found."""
    name = str(detail["loc"][0])
    if detail["type"] == "missing":
        return wrong(name, "", "must be set, for example by nabu setup")
    return wrong(name, str(detail["input"]), problem(Settings.model_fields[name], detail))


def problem(field: FieldInfo, detail: ErrorDetails) -> str:
    """Return the problem in words for administrators, as those of pydantic are for programmers."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "string_too_short":
        return f"must have at least {context['min_length']} characters"
    if kind == "literal_error":
        return f"must be {context['expected'].replace(chr(39), '')}"
    if kind.startswith("bool_"):
        return "must be true or false"
    if kind.startswith(_NO_NUMBER):
        return f"must be a whole number{_range(field)}"
    return "cannot be used"


def example(field: FieldInfo) -> str:
    """Return a value that the setting could have."""
    return str(field.examples[0] if field.examples else field.default)


def printable(field: FieldInfo, value: str) -> str:
    """Return a value as it may be shown: shortened, without control characters, and never a secret."""
    if HIDDEN in field.metadata and value:
        return "(hidden)"
    signs = (sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in value)
    text = "".join(signs)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _range(field: FieldInfo) -> str:
    limits = {
        name: getattr(limit, name) for limit in field.metadata for name in ("ge", "le") if hasattr(limit, name)
    }
    least = f" from {limits['ge']}" if "ge" in limits else ""
    return f"{least} to {limits['le']}" if "le" in limits else least
