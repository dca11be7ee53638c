"""Writes the pages of the documentation that say what the code says already.

What is left out: prose. A page is either wholly generated, or holds generated blocks between two marks.
"""
