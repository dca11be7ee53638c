"""What was said: kept one by one or in batches, read back by session, speaker and time."""
