"""What a letter quotes of the mail that it is about."""

from server.limits import LONGEST_PRESS
from server.store.sealing import Sealer

_LINES = 15


def top(sealer: Sealer, text: str) -> list[str]:
    """The first lines of what was written, by which its writer recognises the mail.

    Our secrets are removed: the mail may be from another player, and the secrets theirs.
    """
    return sealer.without_secrets(text, LONGEST_PRESS).splitlines()[:_LINES]
