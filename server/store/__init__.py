"""What is stored: tables, transactions, seals, and the rows that every wing shares."""
