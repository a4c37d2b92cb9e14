"""The letters that games, accounts and tournaments queue, one class each; other letters are in `outbound`."""
