"""What the core needs from the outside, in the core's words."""
