"""The files that keep recordings while the store is away: one an episode, and nobody's two the same."""

from __future__ import annotations

import itertools
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.episodes.spool import Spool
from graphmem.errors import StoreUnavailableError
from graphmem.models.episode import Episode
from graphmem.models.ids import check_id

_PLAIN = "a A b c K k i I ı ß ss ~a .a -rf a-b b-c a@b a=b a.b a%2Fb a+b a~b CON nul con 한국 ÀÉ àé 🎉"
_LONG = ("한" * 128, "한" * 127 + "국", "x" * 128, "X" * 128, "x" * 127 + "y")
NASTY = (*_PLAIN.split(" "), *_LONG, "a\\b", "a:b", "a*b", "a?b", "$HOME", "`id`", "'a'", '"a"', "a|b")


def spool(folder: Path, tenant: str = "acme", stem: str = "memory.db") -> Spool:
    return Spool(folder, stem, tenant, lambda episode: f"{episode.id} {episode.goal}\n".encode())


def ids() -> st.SearchStrategy[str]:
    return st.sampled_from(NASTY) | st.text(st.sampled_from("aAbB-@=.%~한ß"), min_size=1, max_size=60)


def is_id(name: str) -> bool:
    try:
        return check_id(name) == name
    except ValueError:
        return False


@example(("a", "b-c"), ("a-b", "c"))
@example(("a@b", "c"), ("a", "b@c"))
@example(("Ada", "x"), ("ada", "x"))
@given(st.tuples(ids(), ids()), st.tuples(ids(), ids()))
def test_two_tenants_or_episodes_never_share_a_file(one: tuple[str, str], other: tuple[str, str]) -> None:
    paths = [spool(Path("folder"), tenant).path(episode) for tenant, episode in (one, other)]
    # folded: a file system may ignore case, and compose what is decomposed
    folded = [unicodedata.normalize("NFC", str(path)).casefold() for path in paths]
    assert (folded[0] == folded[1]) == (one == other)


def test_every_pair_of_hostile_names_is_kept_apart() -> None:
    names = [name for name in NASTY if is_id(name)]
    assert len(names) > 30
    pairs = list(itertools.product(names, names))
    found = {str(spool(Path(), tenant).path(episode)).casefold() for tenant, episode in pairs}
    assert len(found) == len(pairs)


@given(ids(), ids())
def test_a_file_lies_in_its_folder_under_a_name_that_every_system_takes(tenant: str, episode: str) -> None:
    path = spool(Path("folder"), tenant).path(episode)
    assert path.parent == Path("folder")
    assert path.name.isascii()
    assert not set(path.name) & set('/\\:*?"<>|')
    assert len(path.name) <= 200


def test_the_files_of_a_tenant_are_its_own_and_only_whole_ones(tmp_path: Path) -> None:
    for tenant in ("a", "a-b", "A", "한국"):
        for episode in ("c", "b-c"):
            spool(tmp_path, tenant).write(Episode(id=episode, goal=tenant))
    (tmp_path / "memory.db.spool-a@c.4711.part").touch()
    (tmp_path / "other.db.spool-a@c.jsonl").touch()
    for tenant in ("a", "a-b", "A", "한국"):
        found = spool(tmp_path, tenant)
        assert len(found.files()) == 2
        assert {path.read_text(encoding="utf-8").split()[1] for path in found.files()} == {tenant}
    assert spool(tmp_path, "b").files() == ()


def test_writing_again_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    own = spool(tmp_path)
    own.write(Episode(id="e", goal="first"))
    path = own.write(Episode(id="e", goal="환불"))
    assert path.read_text(encoding="utf-8") == "e 환불\n"
    assert list(tmp_path.iterdir()) == [path] == list(own.files())


def test_a_folder_that_is_not_there_holds_none_and_takes_none(tmp_path: Path) -> None:
    away = spool(tmp_path / "away")
    assert away.files() == ()
    with pytest.raises(StoreUnavailableError, match="cannot be written either"):
        away.write(Episode(id="e", goal="g"))
