"""Adapters of the store port: one package a database, strangers to each other."""
