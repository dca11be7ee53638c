"""The driver's errors in graphmem's words: typed, naming server and query, quoting nothing."""

from __future__ import annotations

import pytest
from neo4j.exceptions import AuthError, ClientError, Neo4jError, ServiceUnavailable, SessionExpired

from graphmem.errors import ConflictError, GraphMemError, InvalidInputError, StatementError, StoreUnavailableError
from graphmem.stores.neo4j.connection import Server, read_address
from graphmem.stores.neo4j.faults import is_worth_another_try, translate, translated

URI = "bolt://db.example:7687"
SECRET = "Ada의 비밀"


def refused(code: str) -> Neo4jError:
    # the driver builds its errors so from a server's answer
    return Neo4jError._hydrate_neo4j(code=code, message=f"Node already exists with name = '{SECRET}'")


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (ServiceUnavailable(SECRET), StoreUnavailableError),
        (SessionExpired(SECRET), StoreUnavailableError),
        (AuthError(SECRET), StoreUnavailableError),
        (refused("Neo.ClientError.Database.DatabaseNotFound"), StoreUnavailableError),
        (refused("Neo.ClientError.Security.Forbidden"), StoreUnavailableError),
        (refused("Neo.ClientError.Schema.ConstraintValidationFailed"), ConflictError),
        (refused("Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"), ConflictError),
        (refused("Neo.ClientError.Schema.IndexAlreadyExists"), ConflictError),
        (refused("Neo.TransientError.Transaction.DeadlockDetected"), ConflictError),
        (refused("Neo.ClientError.Transaction.TransactionTimedOut"), ConflictError),
        (refused("Neo.TransientError.General.MemoryPoolOutOfMemoryError"), StatementError),
        (refused("Neo.ClientError.Statement.SyntaxError"), StatementError),
    ],
)
def test_an_error_is_translated_without_the_servers_text(fault: Neo4jError, kind: type[GraphMemError]) -> None:
    said = translate(fault, URI, "graph/save_nodes")
    assert type(said) is kind
    assert SECRET not in str(said)


def test_a_statement_error_names_its_query() -> None:
    said = translate(refused("Neo.ClientError.Statement.SyntaxError"), URI, "graph/scan")
    assert isinstance(said, StatementError)
    assert said.query == "graph/scan"


def test_values_that_cannot_be_packed_are_an_input_error() -> None:
    with pytest.raises(InvalidInputError), translated(URI, "q"):
        "\ud800".encode()
    with pytest.raises(InvalidInputError), translated(URI, "q"):
        raise OverflowError
    with pytest.raises(StoreUnavailableError, match=URI), translated(URI, "q"):
        raise ConnectionResetError


def test_errors_of_graphmem_pass_as_they_are() -> None:
    with pytest.raises(ConflictError, match="mine"), translated(URI, "q"):
        raise ConflictError("mine")


def test_what_may_pass_is_tried_again() -> None:
    assert is_worth_another_try(ServiceUnavailable())
    assert not is_worth_another_try(ClientError())
    assert not is_worth_another_try(AuthError())


def test_user_and_password_are_taken_out_of_an_address() -> None:
    address = read_address("neo4j+s://ada:p%40ss@db.example:7687?policy=eu")
    assert address.uri == "neo4j+s://db.example:7687?policy=eu"
    assert address.auth == ("ada", "p@ss")
    assert read_address("bolt://[::1]:7687").auth is None


@pytest.mark.parametrize("uri", ["http://ada:secret@host", "memory.db", "neo4j://", "://host"])
def test_another_scheme_is_refused_without_its_password(uri: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_address(uri)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("version", "inside", "packed", "supported"),
    [
        ("5.26.31", False, False, True),
        ("5.13.0", False, False, False),
        ("2025.04.0", False, False, False),
        ("2025.11.2", False, True, False),
        ("2026.09.0", True, True, True),
        ("2027.01.0-SNAPSHOT", True, True, True),
    ],
)
def test_what_a_server_can_do_goes_by_its_version(
    version: str, inside: bool, packed: bool, supported: bool
) -> None:
    server = Server(version, "community")
    assert (server.filters_inside_index, server.packs_vectors, server.supported) == (inside, packed, supported)
