"""Phrases that email programs write around an answer, in all languages together.

Everything is in lower case, and matched against lower-cased lines; the pieces of each text are separated by
";". A language missing here is usually read correctly anyway, by the addresses, dates and colons around a
quote.
"""

from __future__ import annotations

from mail.reading.languages.europe import EUROPE
from mail.reading.languages.world import WORLD

LANGUAGES = {**EUROPE, **WORLD}


def phrases(field: str) -> tuple[str, ...]:
    """Return the phrases in one field of `Language`, such as "wrote", of all languages, each once."""
    texts = (getattr(language, field) for language in LANGUAGES.values())
    pieces = (piece.strip() for text in texts for piece in text.split(";"))
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


DEVICES = (
    "phone", "iphon", "ipad", "ipod", "android", "galaxy", "samsung", "huawei", "xiaomi", "redmi",
    "oneplus", "pixel", "nokia", "blackberry", "windows", "outlook", "mail", "proton", "tuta", "handy",
    "mobil", "móvil", "movil", "celular", "cellular", "telef", "teléf", "téléph", "telèf", "puhelim",
    "телефон", "мобільн", "мобиль", "устройств", "пристро", "手机", "手機", "携帯", "スマート", "휴대",
    "tablet", "gerät", "device", "appareil", "dispositivo", "κινητό", "συσκευή", "készülék", "zařízení",
    "urządzen", "apparaat", "enhet", "enhed", "laite", "cihaz", "k-9", "spark", "aol", "yahoo", "gmx",
    "web.de", "zimbra", "app",
)  # fmt: skip
"""Every line that a phone adds below an answer, in any language, contains one of these words."""
