"""`nabu`, also as `python -m server`."""

import gc
import sys

_TRY_LATER = 75
_KNOWN = (None, 0, 65, 67, _TRY_LATER)
"""The exit codes of `nabu mail pipe` (see `mail.piping.Exit`), and of anything that went well."""


def main() -> None:
    """Run `nabu`.

    A mail server that starts `nabu mail pipe` sends the mail back for any exit code that it does not know. So
    whatever is wrong here, even a half-installed program, must make the mail wait.
    """
    is_piping = ("mail", "pipe") in zip(sys.argv, sys.argv[1:], strict=False)
    try:
        # What is imported stays: looking for rubbish among it, now and at the end, takes a third of the time.
        # `nabu` enables it again for what it does itself.
        gc.disable()
        # Imported here, since anything that it imports may be what is wrong.
        from server.cli import main as nabu

        nabu()
    except BaseException as error:
        code = error.code if isinstance(error, SystemExit) else 1
        if not is_piping or code in _KNOWN:
            raise
        print(f"{type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201 - a mail server logs it
        sys.exit(_TRY_LATER)
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
