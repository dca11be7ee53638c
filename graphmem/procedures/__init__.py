"""Learned ways of doing something."""
