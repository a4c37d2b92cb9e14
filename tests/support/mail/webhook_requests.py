"""Requests as providers post them."""

from __future__ import annotations

from urllib.parse import urlencode

Request = tuple[dict[str, str], bytes]


def urlencoded(fields: dict[str, str | bytes]) -> Request:
    return {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}, urlencode(fields).encode()


def multipart(fields: dict[str, str | bytes]) -> Request:
    parts = [
        f'--xYzZY\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
        + (value if isinstance(value, bytes) else value.encode())
        + b"\r\n"
        for name, value in fields.items()
    ]
    return {"Content-Type": "multipart/form-data; boundary=xYzZY"}, b"".join(parts) + b"--xYzZY--\r\n"
