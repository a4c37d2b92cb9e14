"""The command `nabu`, also as `python -m server`."""

import gc
import sys

_TRY_LATER = 75
_KNOWN = (None, 0, 65, 67, _TRY_LATER)
"""The exit codes of `nabu mail pipe` (see `mail.incoming.piping.Exit`), and of success."""


def main() -> None:
    """Run `nabu`.

    A mail server that starts `nabu mail pipe` returns the email to its sender for any unknown exit code. So all
    errors, even those of an incomplete installation, must end with the code that makes the email wait.
    """
    is_piping = ("mail", "pipe") in zip(sys.argv, sys.argv[1:], strict=False)
    try:
        # Imported modules stay: garbage collection among them would take a third of the time. `nabu` enables it
        # again.
        gc.disable()
        # Imported here, as the import itself may fail.
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
