"""What every test may ask for: real Neo4j servers of both supported lines (neo4j_servers)."""

from __future__ import annotations

pytest_plugins = ["neo4j_servers"]
