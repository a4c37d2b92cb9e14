"""What is mailed: one class per letter. Those that games and accounts put are here, others in `outbound`."""
