from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from graphmem.errors import SettingsError
from graphmem.settings import Settings, leaves, load_settings, variables


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_anything_the_defaults_hold() -> None:
    settings = load_settings({}, environ={})
    assert (settings.store, settings.tenant, settings.user, settings.embedder) == (
        "graphmem.db",
        "default",
        None,
        "use",
    )
    assert {row.source for row in settings.rows()} == {"default"}


def test_arguments_come_before_the_environment_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "graphmem.toml").write_text('tenant = "file"\nuser = "file"\nstore = "file.db"\n', "utf-8")
    environ = {"GRAPHMEM_TENANT": "environment", "GRAPHMEM_USER": "environment"}
    settings = load_settings({"tenant": "argument", "user": None}, environ=environ)
    assert (settings.tenant, settings.user, settings.store) == ("argument", "environment", "file.db")
    assert settings.source("tenant") == "argument"
    assert settings.source("user") == "environment GRAPHMEM_USER"
    assert settings.source("store") == "file graphmem.toml"
    assert settings.source("embedder") == "default"


def test_another_file_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text('tenant = "가나다"\n[mining]\nmin_support = 4\n', "utf-8")
    settings = load_settings({}, environ={}, config=path)
    assert (settings.tenant, settings.mining.min_support) == ("가나다", 4)
    assert settings.source("mining.min_support") == f"file {path}"
    assert settings.source("mining.max_nodes") == "default"


def test_policies_are_put_together_from_all_sources(tmp_path: Path) -> None:
    (tmp_path / "graphmem.toml").write_text("[mining]\nmin_support = 4\nmax_nodes = 4\n", "utf-8")
    environ = {"GRAPHMEM_MINING_MAX_NODES": "3", "GRAPHMEM_CONSOLIDATION_BATCH_EPISODES": "7"}
    settings = load_settings({"mining": {"max_generalised": 1}}, environ=environ)
    assert (settings.mining.min_support, settings.mining.max_nodes, settings.mining.max_generalised) == (4, 3, 1)
    assert settings.consolidation.batch_episodes == 7
    assert settings.source("mining.max_nodes") == "environment GRAPHMEM_MINING_MAX_NODES"
    assert settings.source("mining.max_generalised") == "argument"


def test_an_unknown_name_is_refused_with_its_place_and_the_nearest_known_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"unknown setting 'tennant' \(argument\); did you mean 'tenant'\?"):
        load_settings({"tennant": "x"}, environ={})
    (tmp_path / "graphmem.toml").write_text("[mining]\nmin_suport = 4\n", "utf-8")
    with pytest.raises(
        SettingsError, match=r"'mining.min_suport' \(file graphmem.toml\); did you mean 'min_support'"
    ):
        load_settings({}, environ={})
    with pytest.raises(SettingsError, match="there are store, tenant"):
        load_settings({"qqqq": 1}, environ={}, config=None)


def test_other_programs_variables_are_none_of_our_business() -> None:
    assert load_settings({}, environ={"GRAPHMEM_DATA": "x", "GRAPHMEM_SOMETHING": "y"}).tenant == "default"


@pytest.mark.parametrize(
    ("arguments", "environ", "named"),
    [
        ({"tenant": "a b"}, {}, "setting 'tenant' (argument)"),
        ({}, {"GRAPHMEM_MAX_REFUSED": "-1"}, "setting 'max_refused' (environment GRAPHMEM_MAX_REFUSED)"),
        ({"embedder": "bert"}, {}, "setting 'embedder' (argument)"),
        ({"mining": {"max_nodes": 99}}, {}, "setting 'mining.max_nodes' (argument)"),
        ({}, {"GRAPHMEM_ALLOW_CYPHER": "perhaps"}, "setting 'allow_cypher'"),
    ],
)
def test_a_refused_value_is_named_with_its_source(
    arguments: dict[str, object], environ: dict[str, str], named: str
) -> None:
    with pytest.raises(SettingsError, match=re.escape(named)):
        load_settings(arguments, environ=environ)


def test_all_refused_values_are_named_at_once() -> None:
    with pytest.raises(SettingsError, match=r"'tenant'.*'user'"):
        load_settings({"tenant": "a b", "user": "c d"}, environ={})


@pytest.mark.parametrize("content", [b"tenant = ", b"\xff\xfe", b"[a\n"])
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "graphmem.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"graphmem\.toml is not TOML"):
        load_settings({}, environ={})


def test_a_named_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml cannot be read"):
        load_settings({}, environ={}, config="nowhere.toml")


def test_secrets_are_never_shown() -> None:
    secret = "correct horse"
    environ = {"NEO4J_PASSWORD": secret, "OPENAI_API_KEY": secret}
    settings = load_settings({}, environ=environ)
    shown = f"{settings!r} {settings} {list(settings.rows())} {settings.model_dump()} {settings.model_dump_json()}"
    assert secret not in shown
    assert settings.password is not None
    assert settings.password.get_secret_value() == secret
    rows = {row.name: row.value for row in settings.rows()}
    assert (rows["password"], rows["openai_api_key"]) == ("(set)", "(set)")


def test_a_refused_secret_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "graphmem.toml").write_text('password = ["correct horse"]\n', "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings({}, environ={})
    assert "horse" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_neo4j_variables_hold_for_neo4j() -> None:
    environ = {"NEO4J_URI": "neo4j://h:7687", "NEO4J_USERNAME": "ada", "NEO4J_DATABASE": "memories"}
    settings = load_settings({"store": "neo4j"}, environ=environ)
    assert settings.target().address == "neo4j://h:7687"
    assert (settings.username, settings.database) == ("ada", "memories")
    assert load_settings({}, environ={**environ, "GRAPHMEM_DATABASE": "mine"}).database == "mine"


def test_the_address_of_a_server_alone_never_chooses_it() -> None:
    target = load_settings({}, environ={"NEO4J_URI": "neo4j://h:7687"}).target()
    assert (target.kind, target.address) == ("sqlite", "graphmem.db")


def test_settings_can_be_changed_and_stay_what_they_were() -> None:
    settings = load_settings({"tenant": "acme"}, environ={"GRAPHMEM_USER": "ada"})
    changed = settings.changed({"user": "bob", "database": None, "mining": {"max_nodes": 3}})
    assert (changed.tenant, changed.user, changed.mining.max_nodes, settings.user) == ("acme", "bob", 3, "ada")
    assert changed.source("user") == "argument"
    assert changed.source("tenant") == "argument"
    with pytest.raises(SettingsError, match="did you mean 'user'"):
        settings.changed({"usr": "x"})


def test_settings_made_by_hand_come_from_arguments() -> None:
    settings = Settings(tenant="acme", password=SecretStr("x"))
    assert (settings.source("tenant"), settings.source("user")) == ("argument", "default")


def test_every_setting_has_one_variable_of_its_own_and_a_description() -> None:
    names = [name for name, _ in leaves()]
    first = [variables(name)[0] for name in names]
    assert len(set(first)) == len(first)
    assert all(field.description for _, field in leaves())
    assert {"store", "tenant", "mining.min_support", "recall.candidates"} <= set(names)


def test_an_empty_variable_is_not_set() -> None:
    assert load_settings({}, environ={"GRAPHMEM_STORE": "", "GRAPHMEM_USER": ""}).user is None


def test_a_password_within_an_address_is_never_shown() -> None:
    environ = {"NEO4J_URI": "neo4j://ada:horse@h:7687"}
    settings = load_settings({}, environ=environ)
    assert "horse" not in f"{settings!r} {list(settings.rows())} {settings.model_dump_json()}"
    assert settings.target().kind == "sqlite"
    with pytest.raises(SettingsError, match=r"setting 'store' \(argument\): a user or password") as caught:
        load_settings({"store": environ["NEO4J_URI"]}, environ={})
    assert "horse" not in str(caught.value)
