"""Settings of the providers that post emails, as each provider's object describes them."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, create_model
from pydantic_settings import BaseSettings

from mail.incoming.webhooks.provider import ProviderSetting
from mail.incoming.webhooks.registry import PROVIDERS
from server.settings.value_types import HIDDEN

_SomeSettings = TypeVar("_SomeSettings", bound=BaseSettings)


def with_providers(settings: type[_SomeSettings]) -> type[_SomeSettings]:
    """Return the class with a field for each setting of a provider."""
    fields: dict[str, Any] = {
        setting.name: _field(setting) for provider in PROVIDERS.values() for setting in provider.settings
    }
    return create_model(
        settings.__name__, __base__=settings, __module__=settings.__module__, __doc__=settings.__doc__, **fields
    )


def _field(setting: ProviderSetting) -> tuple[object, object]:
    checks = [AfterValidator(_checked(setting.check))] if setting.check else []
    marks = [HIDDEN] if setting.is_secret else []
    kind: Any = str
    for mark in (*checks, *marks):
        kind = Annotated[kind, mark]
    return kind, Field(default="", examples=[setting.example], description=setting.description)


def _checked(check: Callable[[str], object]) -> Callable[[str], str]:
    def checked(written: str) -> str:
        if written:
            check(written)
        return written

    return checked
