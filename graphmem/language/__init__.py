"""What language rules find in text without a model: pure, over data."""
