"""Concepts and relations that a text states, by named rules over analyzed sentences: pure."""
