"""What a letter quotes of the mail that it is about."""

_LINES = 15


def top(text: str) -> list[str]:
    """The first lines of what was written, by which its writer recognises the mail."""
    return text.splitlines()[:_LINES]
