"""The backup file: a compressed archive of a manifest, the heads of all logs, and the database.

It may be encrypted with `age`, and can be opened without Nabu: `age -d FILE | tar xz` gives a SQLite file.
"""

import hashlib
import json
import shutil
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import pyrage

from rules.sentences import quoted

FORMAT = "nabu-backup/1"
DATABASE, HEADS, MANIFEST = "nabu.db", "heads.txt", "manifest.json"
SUFFIX, ENCRYPTED = ".tar.gz", ".tar.gz.age"
_AGE = b"age-encryption.org/"
_PIECE = 1 << 20


class BadBackup(Exception):
    """A backup cannot be made or restored; the message says why, and how to fix it."""


@dataclass(frozen=True)
class Lock:
    """The public keys of `age`, or the passphrase, that encrypt a backup; none of them for no encryption."""

    recipients: tuple[str, ...] = ()
    passphrase: str = ""

    def __bool__(self) -> bool:
        return bool(self.recipients or self.passphrase)


@dataclass(frozen=True)
class BackupKey:
    """The secret keys of `age`, or the passphrase, that decrypt a backup."""

    identities: tuple[str, ...] = ()
    passphrase: str = ""


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup: `schema` is the number of the migration, `made_at` is UTC, `rows` by table."""

    made_at: str
    version: str
    schema: str
    sha256: str
    rows: dict[str, int]
    format: str = FORMAT


def pack(
    folder: Path,
    manifest: Manifest,
    lock: Lock,
    file: Path,
    verify: Callable[[Path], object] = lambda _: None,
) -> None:
    """Pack the database and the heads in a folder into a new file. Raises BadBackup for a bad key.

    `verify` gets the file before it is encrypted, as the key that decrypts it is on another machine.
    """
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2))
    plain = folder / "plain"
    with tarfile.open(plain, "w:gz") as archive:
        for name in (MANIFEST, HEADS, DATABASE):
            archive.add(folder / name, name)
            (folder / name).unlink()  # to need the space only once
    verify(plain)
    if not lock:
        plain.rename(file)
        return
    with plain.open("rb") as source, file.open("wb") as target:
        _encrypt(source, target, lock)


def unpack(file: Path, key: BackupKey, folder: Path) -> Manifest:
    """Unpack a backup into a folder and verify its checksum. Raises BadBackup."""
    try:
        with _opened(file, key, folder) as source, tarfile.open(fileobj=source, mode="r:gz") as archive:
            for name in (MANIFEST, HEADS, DATABASE):
                _extract(archive, name, folder / name)
        given = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if given["format"] != FORMAT:
            own = quoted(str(given["format"]))
            raise BadBackup(f"{file} has the format {own}, but this version of Nabu reads {FORMAT}.")
        manifest = Manifest(**given)
    except (tarfile.TarError, zlib.error, EOFError, KeyError, OSError, TypeError, ValueError) as error:
        raise BadBackup(f"{file} is not a backup of Nabu, or is incomplete: {error}.") from None
    if checksum(folder / DATABASE) != manifest.sha256:
        raise BadBackup(f"{file} is damaged: the checksum of its database is wrong.")
    return manifest


def checksum(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _encrypt(source: BinaryIO, target: BinaryIO, lock: Lock) -> None:
    try:
        if lock.passphrase:
            target.write(pyrage.passphrase.encrypt(source.read(), lock.passphrase))
            return
        recipients = [pyrage.x25519.Recipient.from_str(each) for each in lock.recipients]
        pyrage.encrypt_io(source, target, recipients)
    except pyrage.RecipientError:
        raise BadBackup("A public key of age must look like age1…, as age-keygen prints it.") from None


@contextmanager
def _opened(file: Path, key: BackupKey, folder: Path) -> Iterator[BinaryIO]:
    """Open the archive in a file, decrypting it if necessary."""
    with file.open("rb") as source:
        is_encrypted = source.read(len(_AGE)) == _AGE
        source.seek(0)
        if not is_encrypted:
            yield source
            return
        plain = folder / "plain"
        with plain.open("wb") as target:
            _decrypt(source, target, key, file)
        with plain.open("rb") as opened:
            yield opened
        plain.unlink()


def _decrypt(source: BinaryIO, target: BinaryIO, key: BackupKey, file: Path) -> None:
    if not (key.identities or key.passphrase):
        raise BadBackup(f"{file} is encrypted. Add --identity FILE or --passphrase-file FILE.")
    try:
        if key.passphrase:
            target.write(pyrage.passphrase.decrypt(source.read(), key.passphrase))
            return
        identities = [pyrage.x25519.Identity.from_str(each) for each in key.identities]
        pyrage.decrypt_io(source, target, identities)
    except pyrage.IdentityError:
        raise BadBackup(
            "A secret key of age must look like AGE-SECRET-KEY-1…, as age-keygen writes it."
        ) from None
    except pyrage.DecryptError:
        raise BadBackup(f"This key does not decrypt {file}, or the file is damaged.") from None


def _extract(archive: tarfile.TarFile, name: str, file: Path) -> None:
    content = archive.extractfile(name)
    if content is None:
        raise KeyError(name)
    with content, file.open("wb") as target:
        shutil.copyfileobj(content, target, _PIECE)
