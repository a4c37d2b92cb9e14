"""Matrix: a room on any server."""

from server.game.notifications.services.service import NotificationService

MATRIX = NotificationService(
    name="Matrix",
    example="matrixs://USER:PASSWORD@HOST/#ROOM",
    where="",
    forms=(r"matrixs?://([^\s/?,]+@)?[\w.:\[\]-]+(/([#!]|%23|%21)?[\w.:=%-]+)+/?",),
    beginnings=("matrix:", "matrixs:"),
    ports=(80, 443, 8448),
)
