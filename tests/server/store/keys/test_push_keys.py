"""The keys for push services."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.store.keys.sealing import PushKeys, decoded, encoded


def test_push_keys_are_derived_from_the_secret_keys() -> None:
    before, after = PushKeys(["k" * 32]), PushKeys(["n" * 32, "k" * 32])
    assert PushKeys(["k" * 32]).public == before.public != after.public
    assert after.private(before.public) == before.private(before.public)
    assert before.private(after.public) is None


def test_private_and_public_key_belong_together() -> None:
    keys = PushKeys(["k" * 32])
    number = int.from_bytes(decoded(keys.private(keys.public) or ""))
    public = derive_private_key(number, SECP256R1()).public_key()
    assert public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint) == decoded(keys.public)
    assert len(keys.public) == 87


@pytest.mark.parametrize("text", ["é", "a", "a=", "a b", "AB", "A" * 5])
def test_invalid_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not unpadded URL-safe base64"):
        decoded(text)


@pytest.mark.parametrize("length", range(20))
def test_base64_reads_back(length: int) -> None:
    content = bytes(range(236, 236 + length))
    assert decoded(encoded(content)) == content
