"""Embedding models behind the embedder port; bootstrap chooses one. Heavy packages load on first use."""
