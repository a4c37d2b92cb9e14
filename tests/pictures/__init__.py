"""Pictures of all letters and pages, to be looked at: `make pictures` draws them into `docs/pictures`."""

from server.settings import ROOT

OF_LETTERS = ROOT / "docs" / "pictures" / "mail"
OF_PAGES = ROOT / "docs" / "pictures" / "pages"
