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
    """How recall ranks.

    The default weights are those of the flat optimum measured with the embedder `use`: English chat
    (LoCoMo, 786 questions) finds .58 of the evidence within 10 at a likeness of 0.3 to 0.4, against .545
    by words alone; Korean paragraphs (KorQuAD, 300 questions) .897 first at 0.3, against .883.
    """

    name: str = Field("balanced", description="Name of the recipe.")
    spaced: Weights = Field(
        Weights(lexical=0.65, similarity=0.35),
        description="For queries in scripts that put blanks between words.",
    )
    unspaced: Weights = Field(
        Weights(lexical=0.7, similarity=0.3),
        description="For queries in Korean, Japanese, Chinese and the like: their character pairs rank well.",
    )
    candidates: Annotated[int, Field(ge=10, le=5000)] = Field(
        50, description="Candidates that each signal brings in; the limit when that is more."
    )
    least_similarity: Weight = Field(
        0.0, description="What shares no word with the query is left out up to this likeness, 0..1."
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
