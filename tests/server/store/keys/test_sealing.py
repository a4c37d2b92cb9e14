"""Sealed data cannot be read or changed without the key."""

from __future__ import annotations

import pytest

from server.store.keys.derivation import derive
from server.store.keys.sealing import Sealer, UnknownKey


def test_sealed_content_is_opened() -> None:
    sealer = Sealer(["k" * 32])
    assert sealer.open_json(sealer.seal_json({"orders": "1 ne"})) == {"orders": "1 ne"}


def test_same_content_is_never_encrypted_alike() -> None:
    sealer = Sealer(["k" * 32])
    assert sealer.seal(b"1 ne") != sealer.seal(b"1 ne")


def test_older_key_opens_what_it_sealed() -> None:
    sealed = Sealer(["old" * 12]).seal(b"1 ne")
    assert Sealer(["new" * 12, "old" * 12]).open(sealed) == b"1 ne"
    with pytest.raises(UnknownKey):
        Sealer(["new" * 12]).open(sealed)


@pytest.mark.parametrize("place", [0, 11, 12, 20, -17, -16, -1])
def test_changed_byte_is_noticed(place: int) -> None:
    sealer = Sealer(["k" * 32])
    sealed = bytearray(sealer.seal(b"1 ne"))
    sealed[place] ^= 1
    with pytest.raises(UnknownKey):
        sealer.open(bytes(sealed))


@pytest.mark.parametrize("length", [0, 1, 7, 8, 11, 12, 13, 27, 28, 100])
def test_part_of_sealed_content_is_not_opened(length: int) -> None:
    sealer = Sealer(["k" * 32, "old" * 12])
    part = sealer.seal(b"1 ne")[:length]
    with pytest.raises(UnknownKey):
        sealer.open(part)
    assert sealer.opened_by(part) is None


def test_keys_for_different_purposes_differ() -> None:
    assert derive("k" * 32, "vault") != derive("k" * 32, "reply tokens")


def test_content_of_an_older_key_is_renewed() -> None:
    old, both, new = Sealer(["old" * 12]), Sealer(["new" * 12, "old" * 12]), Sealer(["new" * 12])
    renewed = both.renew(old.seal(b"1 ne"))
    assert renewed is not None
    assert new.open(renewed) == b"1 ne"
    assert both.renew(renewed) is None
    with pytest.raises(UnknownKey):
        both.renew(Sealer(["third" * 8]).seal(b"1 ne"))


def test_size_does_not_tell_orders_apart() -> None:
    sealer = Sealer(["k" * 32])
    sizes = {
        len(sealer.seal_json([orders, "n" * 32])) for orders in ("", "hold", "1 ne, 2 n, 3 sw, A c12, B a12")
    }
    assert len(sizes) == 1
    assert sealer.open_json(sealer.seal_json(["1 ne"])) == ["1 ne"]
    assert len(sealer.seal(b"1 ne")) == len(sealer.seal(b"1 ne, 2 n, 3 sw, A c12, B a12"))


@pytest.mark.parametrize("content", [b"", b"\0", b"\x80", b"\x80\0\0", bytes(255), bytes(256), b"x" * 257])
def test_any_content_can_be_sealed(content: bytes) -> None:
    sealer = Sealer(["k" * 32])
    assert sealer.open(sealer.seal(content)) == content
