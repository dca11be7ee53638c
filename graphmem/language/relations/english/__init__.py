"""English relations over dependency parses: named rules, what they stand on, and how the text stands to them."""
