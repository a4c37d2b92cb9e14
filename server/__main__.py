"""The command `nabu`, also as `python -m server`."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from tempfile import TemporaryDirectory

_TRY_LATER = 75
_KNOWN = (None, 0, 65, 67, _TRY_LATER)
"""The exit codes of `nabu mail pipe` (see `mail.incoming.piping.Exit`), and of success."""

_MEMORY = "/dev/shm"  # noqa: S108 - a separate folder is made there


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
        with _metrics_folder() if "serve" in sys.argv else nullcontext():
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


@contextmanager
def _metrics_folder() -> Iterator[None]:
    """Provide a folder for the metrics of several processes; the library reads its name when imported."""
    # In memory, if possible: on a full disk, processes that count would be killed.
    with TemporaryDirectory(
        prefix="nabu-metrics-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None
    ) as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


if __name__ == "__main__":
    main()
