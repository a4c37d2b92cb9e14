"""What is mailed: a class a letter. Those that games and accounts put are here, all others in `outbound`."""
