"""Semantic memory: concepts, how they relate, and the trees that is_a makes of them."""
