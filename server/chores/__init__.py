"""What the worker does when its bell rings; what is due stands in the database."""
