"""Parameters that are modules of torch: `def __init__(self, linear: nn.Linear)`."""

from __future__ import annotations

import re

#: What a module is made with, for those that host code takes apart: whole numbers, by their names.
_SIZES = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "LayerNorm": ("normalized_shape",),
    "RMSNorm": ("normalized_shape",),
}
#: Attributes that each of them has: what is asked of an object that the text does not call a module.
_ATTRIBUTES = {
    "Linear": {"weight", "bias", "in_features", "out_features"},
    "Embedding": {"weight", "num_embeddings", "embedding_dim", "padding_idx"},
    "LayerNorm": {"weight", "bias", "eps", "normalized_shape", "elementwise_affine"},
    "RMSNorm": {"weight", "eps", "normalized_shape"},
}
#: How a module of torch is annotated.
_ANNOTATION = re.compile(r"['\"]?(?:(?:torch\.)?nn\.)?(\w+)['\"]?")
#: Modules of any kind, of which what is asked tells which.
_ANY = ("", "Module")


def module_of(name: str, annotation: str, asked: list[str]) -> tuple[str, tuple[str, ...]]:
    """The class of torch that a parameter is an object of, as an expression, and the sizes that it is made
    with; nothing for what is no module. `asked`: attributes of the parameter that its function uses.
    """
    named = _ANNOTATION.fullmatch(annotation)
    kind = named.group(1) if named else annotation
    if kind in _ANY:
        fitting = [each for each, known in _ATTRIBUTES.items() if asked and set(asked) <= known]
        # What any object may have says too little by itself.
        is_told = "weight" in asked or bool(re.search("linear|layer|module|norm|embed", name, re.I))
        kind = fitting[0] if fitting and is_told else ""
    return ("torch.nn.%s" % kind, _SIZES[kind]) if kind in _SIZES else ("", ())
