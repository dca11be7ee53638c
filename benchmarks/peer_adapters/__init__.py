"""One module a library: the same messages, written through its public calls in its own environment."""
