"""Pictures of all letters and pages and of the README; `make pictures` draws them into `docs`."""

from server.settings import ROOT

OF_LETTERS = ROOT / "docs" / "pictures" / "mail"
OF_PAGES = ROOT / "docs" / "pictures" / "pages"
OF_README = ROOT / "docs" / "pictures" / "readme"
