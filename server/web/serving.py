"""Pages on a port of this machine."""

import threading

import waitress
from flask import Flask

from server.web.webhooks import LARGEST_REQUEST


class Pages:
    """An application on one port, in threads of its own, which takes no request larger than any may be."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        # By itself it would write a gigabyte of anybody's to the disk before the application is asked.
        self._server = waitress.create_server(
            app, host=host, port=port, threads=8, ident=None, max_request_body_size=LARGEST_REQUEST + 1
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self._server.close()
