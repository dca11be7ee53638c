"""The demonstration: sample episodes that ship with the package, and the main job run on them."""
