"""Long-term memories of every kind: facts with their history, preferences, lessons and the others."""
