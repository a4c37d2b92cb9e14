"""The database: tables, transactions, encryption, the inbox and the outbox."""
