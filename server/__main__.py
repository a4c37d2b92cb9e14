"""`python -m server` is `nabu`."""

from server.cli import main

main()
