"""Pictures of all letters, to be looked at: `make pictures` draws them into `docs/pictures/mail`."""

from server.settings import ROOT

FOLDER = ROOT / "docs" / "pictures" / "mail"
