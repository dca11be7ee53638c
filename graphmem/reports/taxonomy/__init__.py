"""Concepts for a reader: a concept with its relations, and the is_a tree around one, as text, JSON and HTML."""
