"""What the text of host code suggests about its parameters: which are tensors, of how many dimensions, what the
sizes are called, which words they are compared with. Suggestions only: a run decides.
"""

from __future__ import annotations

import ast
import dataclasses

from .kernel_pointers import kernel_pointers, whole_or_not
from .launched import Bound, bound_names, launched_kernels
from .shape_texts import in_names_of, shapes_told
from .size_rules import compared_shapes
from .unpacked import asserted_sizes, same_sizes, unpacked

#: Attributes that only tensors have.
_TENSOR = set(
    "shape size stride numel is_cuda device dtype contiguous view reshape dim ndim element_size data_ptr "
    "is_contiguous new_empty new_zeros transpose flatten permute unsqueeze squeeze half float requires_grad".split()
)
#: Functions that take sizes, by themselves or as one tuple.
_OF_SIZES = set(
    "cdiv next_power_of_2 range arange empty zeros ones full rand randn randint eye view reshape expand "
    "new_empty new_zeros new_ones new_full Linear Embedding LayerNorm RMSNorm".split()
)
_LIKE = {"empty_like", "zeros_like", "ones_like", "full_like", "rand_like"}


@dataclasses.dataclass
class Hint:
    """What is suggested about one parameter."""

    tensor: bool = False
    size: bool = False
    #: Its values say where other tensors are touched; False for real numbers.
    index: bool | None = None
    #: A number: a kernel is handed it where it expects no pointer.
    scalar: bool = False
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

    def join(self, other: Hint) -> None:
        """Takes over what this one does not know."""
        self.tensor |= other.tensor
        self.scalar |= other.scalar
        self.size |= other.size
        self.index = other.index if self.index is None else self.index
        self.rank = self.rank if self.rank is not None else other.rank
        self.least_rank = max(self.least_rank, other.least_rank)
        self.dims = self.dims or list(other.dims)
        self.last = {**other.last, **self.last}
        self.words += [word for word in other.words if word not in self.words]
        self.values += [value for value in other.values if value not in self.values]


@dataclasses.dataclass
class Function:
    """A function of the file, with the class around it."""

    node: ast.FunctionDef
    owner: ast.ClassDef | None
    #: The function that it is nested in.
    outer: ast.FunctionDef | None

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def parameters(self) -> list[ast.arg]:
        given = self.node.args
        return [*given.posonlyargs, *given.args, *given.kwonlyargs]

    @property
    def parts(self) -> dict[str, list[str]]:
        """The parts of those parameters that are tuples."""
        return unpacked(self.node)


@dataclasses.dataclass(frozen=True)
class KernelParameters:
    """A kernel's name, its parameters, and which of them are pointers."""

    name: str
    parameters: list[str]
    pointers: set[str]


class Source:
    """The functions of one file, and which of them reach a kernel."""

    def __init__(self, text: str, kernel: KernelParameters) -> None:
        self._text = text
        self._kernel = kernel
        self.tree = ast.parse(text)
        #: Kernels that the same entry may launch beside the one looked for.
        self._beside = kernel_pointers(self.tree)
        self._whole = whole_or_not(self.tree, kernel.name)
        self.functions: list[Function] = []
        self._gather(self.tree, None, None)
        self._hints: dict[ast.FunctionDef, dict[str, Hint]] = {}

    def _gather(self, node: ast.AST, owner: ast.ClassDef | None, outer: ast.FunctionDef | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                self.functions.append(Function(child, owner, outer))
                self._gather(child, None, child)
            elif isinstance(child, ast.ClassDef):
                self._gather(child, child, outer)
            elif not isinstance(child, ast.expr):
                self._gather(child, owner, outer)

    def reaching(self, kernel: str) -> list[Function]:
        """Functions that launch the kernel, then those that call them, and so on."""
        found: list[Function] = []
        wanted = {kernel}
        seen: set[str] = set()
        while wanted - seen:
            seen |= wanted
            layer = [
                each
                for each in self.functions
                if each not in found and each.name != kernel and _mentions(each.node, wanted)
            ]
            found += layer
            wanted = {each.name for each in layer} | {each.owner.name for each in layer if each.owner}
        return found

    def hints(self, function: Function, depth: int = 0) -> dict[str, Hint]:
        """Hints for the parameters of a function; what it hands on to another function of the file counts."""
        if function.node in self._hints:
            return self._hints[function.node]
        found = {each.arg: Hint() for each in function.parameters}
        found.update({part: Hint() for parts in function.parts.values() for part in parts})
        self._hints[function.node] = found
        for node in ast.walk(function.node):
            _read(node, found)
        self._take_told(function.node, found)
        bound = bound_names(function.node)
        for call in (node for node in ast.walk(function.node) if isinstance(node, ast.Call) and depth < 4):
            self._launch(call, found, bound)
            self._hand_on(call, found, depth)
        _share_shapes(found)
        asserted = {**same_sizes(function.node, found.values()), **asserted_sizes(function.node)}
        for name, hint in found.items():
            hint.dims = [asserted.get(each, each) for each in hint.dims]
            hint.last = {axis: asserted.get(each, each) for axis, each in hint.last.items()}
            hint.values += [value for value in self._values(name) if value not in hint.values]
        return found

    def _take_told(self, function: ast.FunctionDef, found: dict[str, Hint]) -> None:
        """Shapes that the text gives in words; what the code says of a size comes first."""
        _take_shapes(compared_shapes(function), found)
        _share_shapes(found)
        told = shapes_told(self._text, function)
        _take_shapes(in_names_of(told, {name: hint.dims for name, hint in found.items()}), found)

    def _launch(self, call: ast.Call, found: dict[str, Hint], bound: Bound) -> None:
        """What a kernel's own parameters say of those that a launch hands it as they are. Of a kernel that is not
        the one looked for only its pointers are known for sure.
        """
        launched = launched_kernels(call.func, bound)
        own = any(_mentions(each, {self._kernel.name}) for each in launched)
        names = [each.id if isinstance(each, ast.Name) else each.attr for each in launched]
        beside = next((self._beside[each] for each in names if each in self._beside), None)
        if own:
            parameters, pointers = self._kernel.parameters, self._kernel.pointers
        elif beside is not None:
            parameters, pointers = beside
        else:
            return
        starred = next((at for at, each in enumerate(call.args) if isinstance(each, ast.Starred)), None)
        pairs = [*zip(parameters, call.args[:starred]), *((each.arg, each.value) for each in call.keywords)]
        for name, value in pairs:
            if _name(value, found) and name in parameters:
                found[value.id].tensor |= name in pointers
                found[value.id].index = (self._whole if own else {}).get(name, found[value.id].index)
                found[value.id].scalar |= own and name not in pointers

    def _hand_on(self, call: ast.Call, found: dict[str, Hint], depth: int) -> None:
        callee, first = self._callee(call.func)
        if callee is None:
            return
        inner = self.hints(callee, depth + 1)
        names = [each.arg for each in callee.parameters][first:]
        pairs = [*zip(names, call.args), *((each.arg, each.value) for each in call.keywords)]
        for name, value in pairs:
            while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                value = value.func.value
            if isinstance(value, ast.Name) and value.id in found and name in inner:
                found[value.id].join(inner[name])

    def _callee(self, func: ast.expr) -> tuple[Function | None, int]:
        if isinstance(func, ast.Name):
            return next((each for each in self.functions if each.name == func.id and not each.owner), None), 0
        if isinstance(func, ast.Attribute) and func.attr == "apply" and isinstance(func.value, ast.Name):
            owned = (each for each in self.functions if each.owner and each.owner.name == func.value.id)
            return next((each for each in owned if each.name == "forward"), None), 1
        return None, 0

    def _values(self, name: str) -> list[str]:
        """Literal defaults of parameters of this name, and literals that it is given by keyword."""
        values = []
        for function in self.functions:
            given = function.node.args
            positional = [*given.posonlyargs, *given.args]
            defaults = [None] * (len(positional) - len(given.defaults)) + list(given.defaults)
            for each, default in [*zip(positional, defaults), *zip(given.kwonlyargs, given.kw_defaults)]:
                if each.arg == name and isinstance(default, (ast.Constant, ast.UnaryOp)):
                    values.append(ast.unparse(default))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.keyword) and node.arg == name and isinstance(node.value, ast.Constant):
                values.append(ast.unparse(node.value))
        return list(dict.fromkeys(value for value in values if value != "None"))


def _take_shapes(shapes: dict[str, list[str]], found: dict[str, Hint]) -> None:
    """Sizes that are known already stay."""
    for name, sizes in shapes.items():
        hint = found.get(name, Hint())
        if hint.rank in (None, len(sizes)) and hint.least_rank <= len(sizes):
            hint.tensor, hint.rank = True, len(sizes)
            coded = [*hint.dims, *([None] * len(sizes))]
            hint.dims = [known or said for known, said in zip(coded, sizes)]


def _share_shapes(found: dict[str, Hint]) -> None:
    """Parameters whose shapes are compared as a whole have what is known of any of them."""
    for hint in found.values():
        for other in (found[each] for each in hint.alike):
            if hint.rank is None and not any(hint.dims):
                hint.rank, hint.dims = other.rank, list(other.dims)
            hint.tensor = True


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id in names)
        or (isinstance(each, ast.Attribute) and each.attr in names)
        for each in ast.walk(node)
    )


def _name(node: ast.AST | None, found: dict) -> str | None:
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
        return _name(node.func.value, found) if not node.args else None
    if isinstance(node, ast.Attribute) and node.attr == "shape":
        return _name(node.value, found)
    return None


def axis_of(node: ast.AST, found: dict[str, Hint]) -> tuple[str, int] | None:
    """`x` and the axis of `x.shape[1]`, `x.size(1)` and `x.stride(1)`."""
    if isinstance(node, ast.Subscript):
        name, axis = _shape_of(node.value, found), _number(node.slice)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        name = _name(node.func.value, found) if node.func.attr in ("size", "stride") else None
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


def _read(node: ast.AST, found: dict[str, Hint]) -> None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        _read_assignment(node.targets[0], node.value, found)
    axis = axis_of(node, found)
    if axis is not None:
        hint = found[axis[0]]
        hint.least_rank = max(hint.least_rank, axis[1] + 1 if axis[1] >= 0 else -axis[1])
    if isinstance(node, ast.Attribute):
        name = _name(node.value, found)
        if name is not None and node.attr in _TENSOR:
            found[name].tensor = True
    elif isinstance(node, ast.Compare):
        _read_comparison(node, found)
    elif isinstance(node, ast.Call):
        _read_call(node, found)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod)):
        for side in (node.left, node.right):
            if _name(side, found):
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
    if axis is not None and isinstance(target, ast.Name) and not _is_stride(value):
        _note_dim(found[axis[0]], axis[1], target.id)


def _is_stride(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "stride"


def _read_comparison(node: ast.Compare, found: dict[str, Hint]) -> None:
    left, right = node.left, node.comparators[0]
    for one, other in ((left, right), (right, left)):
        name = _name(one, found)
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
        return _name(node.func.value, found)
    if isinstance(node, ast.Attribute) and node.attr == "ndim":
        return _name(node.value, found)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        return _shape_of(node.args[0], found)
    return None


def _read_call(node: ast.Call, found: dict[str, Hint]) -> None:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for each in node.args:
        name = _name(each, found)
        if name is not None and called in _LIKE:
            found[name].tensor = True
        if called in _OF_SIZES:
            for part in each.elts if isinstance(each, ast.Tuple) else [each]:
                if _name(part, found):
                    found[part.id].size = True
