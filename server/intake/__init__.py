"""What becomes of mail that came in."""
