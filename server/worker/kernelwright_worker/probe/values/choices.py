"""The values that are tried for a parameter, the likeliest first. A value is a piece of Python text, with the tensors
that it names.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re

from .small_sizes import small_sizes
from ..text.reading import Hint
from ..text.types_told import VIEWED
from .number_lists import listed_choices
from .usual import USUAL

_INTEGERS = re.compile(
    r"(^|_)(idx|index|indices|ids|labels?|targets?|lens|lengths|seqlens?|pos|positions?|offsets?|slots?|tokens?|indptr|cu_?seqlens\w*|crow\w*|row_?ptrs?)($|_)",
    re.I,
)
_OFFSETS = re.compile(r"(^|_)(offsets|indptr|cu_?seqlens\w*|crow\w*|row_?ptrs?|segment_ptrs?)($|_)", re.I)
_LENGTHS = re.compile(r"(^|_)(\w*lens|\w*lengths)$", re.I)
_OUTPUT = re.compile(r"(^|_)(out|output|dst|res|result)($|_|s$)|^o$", re.I)
_FLOATS = {
    "eps": "1e-5",
    "epsilon": "1e-5",
    "scale": "0.5",
    "sm_scale": "0.5",
    "softmax_scale": "0.5",
    "alpha": "0.7",
    # The ends of a range of values lie apart.
    **dict.fromkeys(("lo", "low", "lower", "min", "min_val", "min_value"), "0.25"),
    **dict.fromkeys(("hi", "high", "upper", "max", "max_val", "max_value"), "1.5"),
}
FLOAT_NAMES = re.compile(r"eps|scale|prob|^p$|rate|alpha|beta|gamma|slope|theta|tau|^lr$|decay|momentum")
#: Words for one and the same size, each followed by the letters that stand for it.
_SYNONYMS = [
    re.compile(words, re.I)
    for words in (
        r"^(b|bs|n)$|batch",
        r"^(h|g)$|heads?$|groups?$",
        r"^(t|s|l)$|len|seq|time|context|positions|tokens|rows",
        r"^(d|c|f|k)$|dim|hidden|features|channels|width|embed|size$|columns",
    )
]
#: How a parameter is annotated that is no tensor, whatever is done with it.
_NO_TENSOR = re.compile(r"(?:int|float|bool|str)\b")
#: How a parameter is annotated that is a few whole numbers.
_TUPLE = re.compile(r"(?:typing\.)?[Tt]uple\[(int(?:, int)*)\]")
#: From so many numbers on, shapes are not products of all of them.
_MANY_NUMBERS = 5
BLOCKS = re.compile(r"block|tile|^b[mnk]$", re.I)


#: Up to this byte real numbers of eight bits are from 0 to 2 in both forms; some of the others are none.
REAL_BYTES = 64
#: How wide blocks are.
_WIDTHS = ("64", "32", "128", "16")
#: Dimensions that nothing names.
_PLAIN = ("batch", "heads", "rows", "columns")


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor to make: sizes by name or number."""

    dtype: str
    dims: tuple[str | int, ...]


@dataclasses.dataclass(frozen=True)
class Choice:
    """One value: its text, which may name tensors, and these."""

    text: str
    tensor: Tensor | None = None
    #: How surely this stands in the source: `inferred` from hints, else `guessed`.
    origin: str = "guessed"
    #: What is done to the tensor on its way into the call: `.permute(1, 0)`.
    view: str = ""

    @property
    def is_real(self) -> bool:
        """Whether it is a tensor of real numbers in the form of bytes."""
        return "float8" in self.view


def flat_choices(name: str, hint: Hint, shapes: list[tuple[str | int, ...]]) -> list[Choice]:
    """Tensors for a function that is told sizes and asks no tensor for any: memory of so many elements."""
    whole = bool(_INTEGERS.search(name)) if hint.index is None else hint.index
    types = ["int32", "int64", "float32"] if whole else ["float32", "float16", "int32"]
    types = list(dict.fromkeys([hint.dtype, *types])) if hint.dtype else types
    return [tensor_choice(dtype, shape) for dtype in types for shape in [*shapes, (1,)]]


def shapes_in(hints: dict[str, Hint]) -> list[tuple[str, ...]]:
    """Shapes that the source names, the longest first."""
    shapes = []
    for name, hint in hints.items():
        if hint.rank or any(hint.dims):
            shapes.append(_named(name, hint, max(hint.rank or 0, len(hint.dims), hint.least_rank)))
        elif hint.last:
            shapes.append(_laid_over(_PLAIN[-max(2, hint.least_rank) :], hint))
    return sorted(shapes, key=len, reverse=True)


def _named(name: str, hint: Hint, rank: int) -> tuple[str, ...]:
    return _laid_over(tuple("%s_%d" % (name.lower(), axis) for axis in range(rank)), hint)


def named_size(text: str) -> str | int:
    """A size as it is named in the spec: names are such as no tensor is likely to have."""
    if text.isdigit():
        return int(text)
    return re.sub(r"[A-Za-z_]\w*", lambda word: word[0].upper() if len(word[0]) == 1 else word[0], text)


def _laid_over(base: tuple[str | int, ...], hint: Hint) -> tuple[str | int, ...]:
    """A shape with those sizes that the source names for this tensor."""
    named = [*hint.dims, *([None] * len(base))][: len(base)]
    for axis, name in hint.last.items():
        if -axis <= len(base):
            named[axis] = named[axis] or name
    return tuple(named_size(name) if name else each for name, each in zip(named, base))


def choices_of(
    name: str, hint: Hint, annotation: str, known: tuple[list[tuple[str | int, ...]], set[str]]
) -> list[Choice]:
    sizes, pointers = known
    tensor = _tensor_choices(name, hint, sizes)
    plain = annotation.replace("Optional[", "").strip("'\"")
    listed = listed_choices(name, plain, sizes)
    if listed:
        return [Choice(text) for text in listed]
    is_tensor = not _NO_TENSOR.match(plain) and (hint.tensor or name in pointers)
    if re.search(r"Tensor", annotation) or is_tensor:
        return tensor
    words = [Choice(value, origin="inferred") for value in [*hint.words, *hint.values]]
    if hint.span and not words and name.lower() not in map(str.lower, _names_of(sizes)):
        return _distinct([*map(Choice, _WIDTHS), *_size_choices(name, sizes)])
    if plain.startswith("bool"):
        return _distinct([*words, Choice("False"), Choice("True")])
    if plain.startswith("int"):
        return _distinct([*_integer_choices(name, sizes), *words])
    numbers = _TUPLE.fullmatch(plain)
    if numbers:
        counts = (32, 16, 64) if BLOCKS.search(name) else (2, 1, 3, 4)
        length = numbers.group(1).count("int")
        return _distinct([*words, *(Choice(repr((each,) * length)) for each in counts)])
    if plain.startswith("float"):
        return _distinct([*words, *_float_choices(name)])
    if plain.startswith("str"):
        return _distinct([*words, Choice("''")])
    if hint.scalar:
        return _number_choices(name, words, sizes)
    if hint.role == "switch" and not words:
        return [Choice("True"), Choice("False"), *tensor[:1]]
    if "dtype" in plain or name.endswith("dtype") or hint.role == "dtype":
        return [Choice("torch.float32"), Choice("torch.float16"), Choice("torch.bfloat16")]
    if "device" in plain or name == "device" or hint.role == "device":
        return [Choice("'cuda'")]
    if "activation" in name and not words:
        return [Choice("None"), Choice("''")]
    if words:
        return _distinct([*words, *tensor[:2]])
    if name in _FLOATS or FLOAT_NAMES.search(name):
        return [*_float_choices(name), *tensor[:1]]
    if re.match(r"(is|use|has|return|do|causal|inplace|in_place|training)", name):
        return [Choice("False"), Choice("True"), Choice("None")]
    if hint.size:
        return [*_size_choices(name, sizes), *tensor[:3]]
    if _named_like_size(name, sizes):
        return [*_integer_choices(name, sizes), *tensor[:3]]
    return [*tensor, *_integer_choices(name, sizes)[:3], Choice("0.5"), Choice("None")]


def _float_choices(name: str) -> list[Choice]:
    """Another one too: a wrapper may divide by the difference of two of them."""
    return _distinct([Choice(_FLOATS.get(name, "0.5")), Choice("0.75")])


def _number_choices(name: str, words: list[Choice], sizes: list[tuple[str | int, ...]]) -> list[Choice]:
    """For what a kernel is handed as a number."""
    floats = _float_choices(name)
    if words or name in _FLOATS or FLOAT_NAMES.search(name):
        return _distinct([*words, *floats, *_integer_choices(name, sizes)])
    if re.search(r"seed|step|iter|count", name):
        return [Choice("17"), *floats]
    return _distinct([*_integer_choices(name, sizes), *floats])


def _named_like_size(name: str, sizes: list[tuple[str | int, ...]]) -> bool:
    known = {each.lower() for each in _names_of(sizes)}
    return name.lower() in known or bool(
        BLOCKS.search(name)
        or re.match(r"(n|num|size|dim|hidden|in|out)_|^[A-Z]$", name)
        or re.search(r"(dim|size|features|channels)$", name)
    )


def _names_of(shapes: list[tuple[str | int, ...]]) -> list[str]:
    return [each for shape in shapes for each in shape if isinstance(each, str) and each.isidentifier()]


def _integer_choices(name: str, sizes: list[tuple[str | int, ...]]) -> list[Choice]:
    if BLOCKS.search(name):
        return [Choice(each) for each in _WIDTHS]
    if name == "num_warps":
        return [Choice("4")]
    if name == "num_stages":
        return [Choice("2")]
    if name in ("dim", "axis") and name not in map(str.lower, _names_of(sizes)):
        return [
            *(Choice(text) for text in ("-1", "1", "0")),
            *(Choice(each) for each in dict.fromkeys(_fastest_first(sizes))),
        ]
    return _size_choices(name, sizes)


def _fastest_first(sizes: list[tuple[str | int, ...]]) -> list[str]:
    """The names of sizes, of each shape that of its fastest dimension first."""
    return _names_of([(shape[-1], *shape[:-1]) for shape in sizes])


def _size_choices(name: str, sizes: list[tuple[str | int, ...]]) -> list[Choice]:
    kin = [words for words in _SYNONYMS if words.search(name)]
    others = sorted(_fastest_first(sizes), key=lambda each: not any(words.search(each) for words in kin))
    same = [each for each in others if each.lower() == name.lower()]
    few = None if any(words.search(each) for words in kin for each in others) else USUAL.few(name)
    return _distinct(
        [
            *(Choice(each, origin="inferred") for each in same),
            *([] if few is None else [Choice(str(few))]),
            *(Choice(each) for each in others),
            *([] if same else [Choice("size")]),
            *(Choice(text) for text in ("1", "2", "4", "16", "0")),
        ]
    )


def _tensor_choices(name: str, hint: Hint, sizes: list[tuple[str | int, ...]]) -> list[Choice]:
    shapes: list[tuple[str | int, ...]] = []
    rank = hint.rank
    longest = sizes[0] if sizes else ("rows", "columns")
    if rank is not None:
        shapes.append(_named(name, hint, max(rank, hint.least_rank)))
        shapes += [
            tuple(
                named_size(each) if each else "%s_%d" % (name.lower(), axis) for axis, each in enumerate(dims)
            )
            for dims in hint.others
        ]
    elif any(hint.dims) or hint.last:
        shapes += [
            _laid_over(each, hint) for each in sizes if len(each) >= max(hint.least_rank, len(hint.dims))
        ]
        if any(hint.dims):
            shapes.append(_named(name, hint, max(len(hint.dims), hint.least_rank)))
    guesses: list[tuple[str | int, ...]] = [longest, longest[-1:], longest[:1], longest[-2:], longest[:-1]]
    guesses += [shape for shape in sizes[1:] if shape not in guesses]
    guesses += [(each, longest[-1]) for each in longest[:-1]]
    guesses += [(longest[0], each, longest[-1]) for each in longest[1:-1]]
    guesses += [
        ("rows", "columns"),
        ("batch", "rows", "columns"),
        _PLAIN,
        (1,),
        (),
    ]
    shapes += [
        shape
        for shape in guesses
        if len(shape) >= hint.least_rank and (rank is None or len(shape) == max(rank, hint.least_rank))
    ]
    if rank is not None and rank > len(longest):
        shapes.append(_PLAIN[-rank:])
    shapes = list(dict.fromkeys(shape for shape in shapes if shape or hint.least_rank == 0))
    whole = bool(_INTEGERS.search(name)) if hint.index is None else hint.index
    if whole and rank is None and hint.least_rank <= 2:
        own, rows = "%s_%d" % (name.lower(), max(0, hint.least_rank - 1)), _rows(longest, sizes)
        single = rows if _LENGTHS.search(name) and not is_offsets(name) else own
        shapes.insert(0, (single,) if hint.least_rank < 2 else (rows, own))
    types = _types_of(name, hint, whole)
    origin = "inferred" if rank is not None else "guessed"
    first = [dataclasses.replace(tensor_choice(types[0], shape), origin=origin) for shape in shapes]
    rest = [tensor_choice(each, shape) for each in types[1:] for shape in shapes[:2]]
    other = [] if whole else [Choice("?", Tensor("int64", shape)) for shape in shapes[:1]]
    return [*first, *rest, *other]


def tensor_choice(dtype: str, shape: tuple[str | int, ...]) -> Choice:
    """A tensor of a type, which inputs of a spec may have in another form."""
    if dtype in VIEWED:
        form, count = VIEWED[dtype]
        view = ".view(torch.%s)" % dtype
        if count > 1:
            return Choice("?", Tensor(form, (*shape, count)), view=view + "[..., 0]")
        return Choice("?", Tensor(form, shape), view=view)
    return Choice("?", Tensor(dtype, shape))


def _rows(longest: tuple[str | int, ...], sizes: list[tuple[str | int, ...]]) -> str | int:
    """The size that says how many rows a table has: that of a batch."""
    return next((each for each in _names_of(sizes) if _SYNONYMS[0].search(each)), longest[0])


def _types_of(name: str, hint: Hint, whole: bool) -> list[str]:
    """Types of elements, the likeliest first."""
    types = ["int64", "int32", "float32"] if whole else ["float32", "float16"]
    if "mask" in name:
        types = ["bool", "float32"]
    return list(dict.fromkeys([hint.dtype, *types])) if hint.dtype else types


def _distinct(choices: list[Choice]) -> list[Choice]:
    first: dict[str, Choice] = {}
    for each in choices:
        first.setdefault(each.text, each)
    return list(first.values())


def is_offsets(name: str) -> bool:
    """Whether whole numbers of this name are likely where rows of a ragged tensor begin: they ascend."""
    return bool(_OFFSETS.search(name))


def may_lead(tensor: Tensor) -> bool:
    """Whether numbers of a tensor may be places in others: bytes are real numbers in short."""
    return "int" in tensor.dtype and tensor.dtype not in ("int8", "uint8")


def tells_offsets(name: str, tensor: Tensor) -> bool:
    """Whether a tensor tells where rows begin, and the end of the last one: by its name, or as it has one number more
    than there are rows.
    """
    if "int" not in tensor.dtype or len(tensor.dims) != 1:
        return False
    return is_offsets(name) or re.fullmatch(r"\w+ \+ 1", str(tensor.dims[0])) is not None


def is_output_name(name: str) -> bool:
    """Whether a tensor of this name is likely there to be filled."""
    return bool(_OUTPUT.search(name))


def shapes_of_numbers(names: list[str]) -> list[tuple[str | int, ...]]:
    """Shapes for tensors of a function that is told these numbers: products of them, the one with most elements first;
    matrices may be square, and pixels have three or four numbers.
    """
    most = len(names) if len(names) < _MANY_NUMBERS else _MANY_NUMBERS - 2
    products = [each for count in range(most, 0, -1) for each in itertools.combinations(names, count)]
    pixels = [(*each, count) for count in (4, 3, 2) for each in products if len(each) <= 2]
    squares = [(each, each) for each in names]
    shapes = list(dict.fromkeys([*products, *pixels, *squares]))
    values = small_sizes(names)
    elements = {
        shape: math.prod(values[each] if isinstance(each, str) else each for each in shape)
        for shape in shapes
    }
    # The largest first, so that the first call leaves none; of the others plain products come first.
    return sorted(shapes, key=lambda shape: -elements[shape]) if shapes else []
