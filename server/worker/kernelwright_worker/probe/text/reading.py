"""What single expressions of host code suggest about its parameters, and what is gathered of each."""

from __future__ import annotations

import ast
import dataclasses

#: Attributes that only tensors have.
TENSOR_ATTRIBUTES = set(
    "shape size stride numel is_cuda device dtype contiguous view reshape dim ndim element_size data_ptr "
    "is_contiguous new_empty new_zeros transpose flatten permute unsqueeze squeeze half float requires_grad".split()
)
#: Functions that take sizes, by themselves or as one tuple.
_OF_SIZES = set(
    "cdiv next_power_of_2 range arange empty zeros ones full rand randn randint eye view reshape expand "
    "new_empty new_zeros new_ones new_full Linear Embedding LayerNorm RMSNorm".split()
)
_LIKE = {"empty_like", "zeros_like", "ones_like", "full_like", "rand_like"}


#: Functions of whole numbers, and those that pick by whole numbers behind the number of a dimension.
_COUNTED = {"bincount", "one_hot", "embedding"}
_PICKING = set("gather index_select index_add index_add_ scatter scatter_ scatter_add scatter_add_".split())


@dataclasses.dataclass
class Hint:
    """What is suggested about one parameter."""

    tensor: bool = False
    size: bool = False
    #: Its values say where other tensors are touched; False for real numbers.
    index: bool | None = None
    #: The type of its elements, and whether more than what a kernel does with them says so.
    dtype: str | None = None
    told: bool = False
    #: Of its elements no more is asked than whether they are zero.
    flag: bool = False
    #: A number: a kernel is handed it where it expects no pointer.
    scalar: bool = False
    #: What it is that is neither tensor nor number: `device`, `dtype`, or `switch`, of which is only asked.
    role: str = ""
    #: How wide a block of a kernel is.
    span: bool = False
    #: Parameters of the same shape.
    alike: set[str] = dataclasses.field(default_factory=set)
    rank: int | None = None
    least_rank: int = 0
    #: Names of the dimensions, the slowest first; None where one has no name.
    dims: list[str | None] = dataclasses.field(default_factory=list)
    others: list[list[str | None]] = dataclasses.field(default_factory=list)  #: In other branches.
    #: Names of dimensions by their place from the end: -1 is the fastest.
    last: dict[int, str] = dataclasses.field(default_factory=dict)
    words: list[str] = dataclasses.field(default_factory=list)
    #: Texts of values that the same name is given elsewhere: defaults and literal arguments.
    values: list[str] = dataclasses.field(default_factory=list)

    def keep_apart(self) -> None:
        """Asks for so many dimensions that none has two names, one counted from each side."""
        while self.rank is None and any(
            -axis <= self.least_rank
            and self.least_rank + axis < len(self.dims)
            and self.dims[self.least_rank + axis] not in (None, name)
            for axis, name in self.last.items()
        ):
            self.least_rank += 1

    def join(self, other: Hint) -> None:
        """Takes over what this one does not know."""
        self.tensor |= other.tensor
        self.scalar |= other.scalar
        self.flag |= other.flag
        self.span |= other.span
        self.role = self.role or other.role
        if self.dtype is None or (other.told and not self.told):
            self.dtype, self.told = other.dtype, other.told
        self.size |= other.size
        self.index = other.index if self.index is None else self.index
        self.rank = self.rank if self.rank is not None else other.rank
        self.least_rank = max(self.least_rank, other.least_rank)
        self.dims = self.dims or list(other.dims)
        self.last = {**other.last, **self.last}
        self.words += [word for word in other.words if word not in self.words]
        self.values += [value for value in other.values if value not in self.values]


def name_in(node: ast.AST | None, found: dict) -> str | None:
    return node.id if isinstance(node, ast.Name) and node.id in found else None


def _number(node: ast.AST | None) -> int | None:
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _shape_of(node: ast.AST, found: dict[str, Hint]) -> str | None:
    """`x` of `x.shape` and `x.size()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
        return name_in(node.func.value, found) if not node.args else None
    if isinstance(node, ast.Attribute) and node.attr == "shape":
        return name_in(node.value, found)
    return None


def axis_of(node: ast.AST, found: dict[str, Hint]) -> tuple[str, int] | None:
    """`x` and the axis of `x.shape[1]`, `x.size(1)` and `x.stride(1)`."""
    if isinstance(node, ast.Subscript):
        name, axis = _shape_of(node.value, found), _number(node.slice)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        name = name_in(node.func.value, found) if node.func.attr in ("size", "stride") else None
        axis = _number(node.args[0])
    else:
        return None
    return (name, axis) if name is not None and axis is not None else None


def _note_dim(hint: Hint, axis: int, name: str) -> None:
    needed = axis + 1 if axis >= 0 else -axis
    hint.least_rank = max(hint.least_rank, needed)
    if axis >= 0:
        hint.dims += [None] * (needed - len(hint.dims))
        hint.dims[axis] = hint.dims[axis] or name
    else:
        hint.last.setdefault(axis, name)


def read(node: ast.AST, found: dict[str, Hint]) -> None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        _read_assignment(node.targets[0], node.value, found)
    axis = axis_of(node, found)
    if axis is not None:
        hint = found[axis[0]]
        hint.least_rank = max(hint.least_rank, axis[1] + 1 if axis[1] >= 0 else -axis[1])
    if isinstance(node, ast.Attribute):
        name = name_in(node.value, found)
        if name is not None and node.attr in TENSOR_ATTRIBUTES:
            found[name].tensor = True
    elif isinstance(node, ast.Compare):
        _read_comparison(node, found)
    elif isinstance(node, ast.Call):
        _read_call(node, found)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod)):
        for side in (node.left, node.right):
            if name_in(side, found):
                found[side.id].size = True


def _read_assignment(target: ast.expr, value: ast.expr, found: dict[str, Hint]) -> None:
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    are_both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    if are_both and len(value.elts) == len(targets):
        for one, other in zip(targets, value.elts):
            _read_assignment(one, other, found)
        return
    name = _shape_of(value, found)
    if name is not None and isinstance(target, ast.Tuple):
        if any(isinstance(each, ast.Starred) for each in targets):
            found[name].least_rank = max(found[name].least_rank, len(targets) - 1)
            for axis in range(-1, -len(targets), -1):
                if not isinstance(targets[axis], ast.Name) or targets[axis].id == "_":
                    break
                found[name].last.setdefault(axis, targets[axis].id)
            return
        dims = [each.id if isinstance(each, ast.Name) and each.id != "_" else None for each in targets]
        if len(found[name].dims) == found[name].rank != len(targets):
            return found[name].others.append(dims)
        found[name].rank, found[name].dims = len(targets), dims
    axis = axis_of(value, found)
    if axis is not None and isinstance(target, ast.Name) and not is_stride(value):
        _note_dim(found[axis[0]], axis[1], target.id)


def is_stride(node: ast.AST) -> bool:
    """`x.stride(1)`, which tells of an axis and not how long it is."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "stride"


def _read_comparison(node: ast.Compare, found: dict[str, Hint]) -> None:
    left, right = node.left, node.comparators[0]
    for one, other in ((left, right), (right, left)):
        name = name_in(one, found)
        if name is not None:
            words = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
            found[name].words += [
                repr(word.value)
                for word in words
                if isinstance(word, ast.Constant) and isinstance(word.value, str)
            ]
        rank = _rank_question(one, found)
        asked = _number(other) if isinstance(node.ops[0], ast.Eq) else None
        if rank is not None and asked is not None and found[rank].rank is None:
            found[rank].rank = asked
    wholes = _shape_of(left, found), _shape_of(right, found)
    if wholes[0] and wholes[1] and isinstance(node.ops[0], ast.Eq):
        found[wholes[0]].alike.add(wholes[1])
        found[wholes[1]].alike.add(wholes[0])
    axes = axis_of(left, found), axis_of(right, found)
    if is_stride(left) or is_stride(right):
        return
    if axes[0] and axes[1] and isinstance(node.ops[0], ast.Eq):
        (one, first), (other, second) = axes
        if first >= 0 and second >= 0 and one != other:
            shared = _dim(found[one], first) or _dim(found[other], second) or "%s_%d" % (one, first)
            _note_dim(found[one], first, shared)
            _note_dim(found[other], second, shared)


def _dim(hint: Hint, axis: int) -> str | None:
    return hint.dims[axis] if axis < len(hint.dims) else None


def _rank_question(node: ast.AST, found: dict[str, Hint]) -> str | None:
    """`x` of `x.dim()`, `x.ndim` and `len(x.shape)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "dim":
        return name_in(node.func.value, found)
    if isinstance(node, ast.Attribute) and node.attr == "ndim":
        return name_in(node.value, found)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        return _shape_of(node.args[0], found)
    return None


def _read_call(node: ast.Call, found: dict[str, Hint]) -> None:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in ("view", "reshape") and len(node.args) == 2 and _number(node.args[0]) == -1:
        # Rows of so many elements: as many as the last dimension has.
        of, width = name_in(node.func.value, found), node.args[1]
        if of is not None and isinstance(width, ast.Name):
            _note_dim(found[of], -1, width.id)
    for each in node.keywords:
        name = name_in(each.value, found) if each.arg in ("device", "dtype") else None
        if name is not None:
            found[name].role = each.arg
    if called in _COUNTED or called in _PICKING:
        # Of a function the first argument is what is picked from; of a method that stands before it.
        first = 0 if called in _COUNTED else 1 + (ast.unparse(node.func).startswith("torch."))
        for name in (name_in(each, found) for each in node.args[first : first + 1]):
            if name is not None:
                found[name].tensor = found[name].index = True
                found[name].rank = 1 if called == "bincount" else found[name].rank
    for each in node.args:
        name = name_in(each, found)
        if name is not None and called in _LIKE:
            found[name].tensor = True
        if called in _OF_SIZES:
            for part in each.elts if isinstance(each, ast.Tuple) else [each]:
                if name_in(part, found):
                    found[part.id].size = True


def is_asked_as_tensor(part: ast.AST, name: str) -> bool:
    """Whether a variable is asked what only tensors have."""
    return any(
        isinstance(each, ast.Attribute)
        and each.attr in TENSOR_ATTRIBUTES
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        for each in ast.walk(part)
    )
