"""`nabu`, also as `python -m server`."""

import sys

_TRY_LATER = 75
_KNOWN = (None, 0, 65, 67, _TRY_LATER)
"""What `nabu mail pipe` ends with (see `mail.piping.Exit`), and how anything ends that went well."""


def main() -> None:
    """Run `nabu`.

    A mail server that starts `nabu mail pipe` sends the mail back for every other end than those it knows: what
    is wrong here, even a program that is only half installed, must let the mail wait.
    """
    is_piping = ("mail", "pipe") in zip(sys.argv, sys.argv[1:], strict=False)
    try:
        # Here, as all that it imports may be what is wrong.
        from server.cli import main as nabu

        nabu()
    except BaseException as error:
        code = error.code if isinstance(error, SystemExit) else 1
        if not is_piping or code in _KNOWN:
            raise
        print(f"{type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201 - a mail server logs it
        sys.exit(_TRY_LATER)


if __name__ == "__main__":
    main()
