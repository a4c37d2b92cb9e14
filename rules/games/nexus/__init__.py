"""NEXUS und Rabauken."""
