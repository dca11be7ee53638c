"""Analyzers: sentences with their words, by spaCy, by kiwi, or by no library at all."""
