"""Finds what is remembered: lexical and vector signals, fused and explained."""
