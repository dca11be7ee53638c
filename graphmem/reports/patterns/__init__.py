"""The parts of the pattern report: its values, its words, and each of its forms."""
