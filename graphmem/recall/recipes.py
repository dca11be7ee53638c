"""Named ways of ranking: how much each signal counts, by the script of the query."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

from pydantic import Field

from graphmem.errors import InvalidInputError
from graphmem.models.fields import Frozen

Weight = Annotated[float, Field(ge=0.0, le=1.0)]


class Weights(Frozen):
    """How much each signal counts; only their ratio matters."""

    lexical: Weight = Field(description="BM25 over search tokens, 0..1.")
    similarity: Weight = Field(description="Calibrated likeness of the pooled vectors, 0..1.")


class RecallRecipe(Frozen):
    """How recall ranks."""

    name: str = Field("balanced", description="Name of the recipe.")
    spaced: Weights = Field(
        Weights(lexical=0.5, similarity=0.5),
        description="For queries in scripts that put blanks between words.",
    )
    unspaced: Weights = Field(
        Weights(lexical=0.8, similarity=0.2),
        description="For queries in Korean, Japanese, Chinese and the like: their character pairs rank well.",
    )
    candidates: Annotated[int, Field(ge=10, le=5000)] = Field(
        100, description="Candidates that each signal brings in; ten times the limit when that is more."
    )
    bare_names: Weight = Field(
        0.5, description="Factor for concepts known by name only, which say no more than the query does."
    )


RECIPES = {
    recipe.name: recipe
    for recipe in (
        RecallRecipe(),
        RecallRecipe(
            name="lexical",
            spaced=Weights(lexical=1.0, similarity=0.0),
            unspaced=Weights(lexical=1.0, similarity=0.0),
        ),
        RecallRecipe(
            name="vector",
            spaced=Weights(lexical=0.0, similarity=1.0),
            unspaced=Weights(lexical=0.0, similarity=1.0),
        ),
    )
}
"""The recipes that come with graphmem, by name."""

DEFAULT_RECIPE = RECIPES["balanced"]


def recipe_named(recipe: RecallRecipe | str | None, default: RecallRecipe = DEFAULT_RECIPE) -> RecallRecipe:
    """A recipe by name; one that is a value already stays.

    Raises:
        InvalidInputError: There is no recipe of this name.
    """
    if recipe is None:
        return default
    if isinstance(recipe, RecallRecipe):
        return recipe
    if recipe not in RECIPES:
        near = get_close_matches(recipe, RECIPES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(RECIPES)}"
        raise InvalidInputError(f"unknown recall recipe {recipe!r}; {hint}")
    return RECIPES[recipe]
