"""Ways of doing something that a text tells its reader to follow, by named rules: pure."""
