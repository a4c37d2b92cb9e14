"""The long-running processes: mail, worker, computer players, and the services that they use."""
