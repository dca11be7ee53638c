"""Records, the closed schema, and what turns models and text into them: pure."""
