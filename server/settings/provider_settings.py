"""Settings of the providers that post emails, as each provider's object describes them."""

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, create_model
from pydantic_settings import BaseSettings

from mail.incoming.webhooks.provider import ProviderSetting
from mail.incoming.webhooks.registry import PROVIDERS

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
    def check(written: str) -> str:
        if written:
            setting.check(written)
        return written

    return Annotated[str, AfterValidator(check)], Field(default="", description=setting.description)
