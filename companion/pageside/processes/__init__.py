"""Processes and what they leave on disk."""
