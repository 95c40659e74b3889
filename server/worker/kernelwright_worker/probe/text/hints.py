"""What the text of host code suggests about its parameters: which are tensors, of how many dimensions, what the
sizes are called, which words they are compared with. Suggestions only: a run decides.
"""

from __future__ import annotations

import ast
import copy
import dataclasses

from .conditions import constants_of
from .flags import kernel_flags, switches
from .kernel_pointers import kernel_pointers, kernel_spans, whole_or_not
from .launched import Bound, bound_names, launched_kernels
from .listed import take_lists_apart
from .made_with import attributes_of, names_in, with_parameters
from .objects import take_apart
from .parts.tables import take_tables_apart
from .parts.tuples import take_tuples_apart
from .reading import Hint, name_in, read
from .shape_texts import in_names_of, shapes_told
from .size_rules import compared_shapes, compared_sizes
from .types_told import kernel_types, types_told
from .unpacked import Parts, asserted_sizes, same_sizes, unpacked


#: What a launch takes beside the arguments of a kernel, with usual values.
_OPTIONS = {"num_warps": "4", "num_stages": "2", "num_ctas": "1"}


@dataclasses.dataclass
class Function:
    """A function of the file, with the class around it."""

    node: ast.FunctionDef
    owner: ast.ClassDef | None
    #: The function that it is nested in.
    outer: ast.FunctionDef | None
    #: Those parameters that are tuples, lists of tensors or objects.
    parts: dict[str, Parts]

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def parameters(self) -> list[ast.arg]:
        given = self.node.args
        return [*given.posonlyargs, *given.args, *given.kwonlyargs]


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
        self._apart = [
            take_apart(self.tree),
            take_tables_apart(self.tree),
            take_tuples_apart(self.tree),
            take_lists_apart(self.tree),
        ]
        #: Kernels that the same entry may launch beside the one looked for.
        self._beside = kernel_pointers(self.tree)
        self._whole = whole_or_not(self.tree, kernel.name)
        self._types = kernel_types(self.tree, kernel.name)
        self._flags = kernel_flags(self.tree, kernel.name)
        self._spans = kernel_spans(self.tree, kernel.name)
        self.functions: list[Function] = []
        self._gather(self.tree, None, None)
        self._hints: dict[ast.FunctionDef, dict[str, Hint]] = {}

    def _gather(self, node: ast.AST, owner: ast.ClassDef | None, outer: ast.FunctionDef | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                taken = [unpacked(child), *(each.get(child, {}) for each in self._apart)]
                parts = {name: made for each in taken for name, made in each.items()}
                self.functions.append(Function(child, owner, outer, parts))
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
        body, found = self.of_object(function)
        found.update({each.arg: Hint() for each in function.parameters})
        found.update({part: Hint() for parts in function.parts.values() for part in parts.members})
        self._hints[function.node] = found
        for node in ast.walk(body):
            read(node, found)
        for made in (each for each in function.parts.values() if each.kinds):
            members = list(made.members)
            found.update({each: found[members[at % made.kinds]] for at, each in enumerate(members)})
        for name in switches(function.node) & set(found):
            found[name].role = found[name].role or "switch"
        self._take_told(body, found)
        made = {name: hint.dtype for name, hint in found.items() if hint.dtype}
        for name, dtype in types_told(self._text, self.tree, function.node, (body, made)).items():
            found[name].dtype, found[name].told = dtype, True
        bound = bound_names(body)
        for call in (node for node in ast.walk(body) if isinstance(node, ast.Call) and depth < 4):
            self._launch(call, found, bound)
            self._hand_on(call, found, depth)
        _share_shapes(found)
        asserted = {**same_sizes(function.node, found.values()), **asserted_sizes(function.node)}
        for name, hint in found.items():
            hint.dims = [asserted.get(each, each) for each in hint.dims]
            hint.last = {axis: asserted.get(each, each) for axis, each in hint.last.items()}
            hint.keep_apart()
            hint.values += [value for value in self._values(name) if value not in hint.values]
        return found

    def of_object(self, function: Function) -> tuple[ast.FunctionDef, dict[str, Hint]]:
        """A method in the words of what its object was made with, and what the constructor says of that."""
        owned = [each for each in self.functions if each.owner is not None and each.owner is function.owner]
        made = next((each for each in owned if each.name == "__init__"), None)
        if made is None or function.name == "__init__":
            return function.node, {}
        attributes = attributes_of(made.owner)
        body = with_parameters(function.node, attributes)
        known = self.hints(made) if body is not function.node else {}
        named = {each.id for each in ast.walk(body) if isinstance(each, ast.Name)}
        kept = [name for value in attributes.values() for name in names_in(value)]
        told = {name: known[name] for name in kept if name in known and name in named}
        own = {each.arg for each in function.parameters}
        return body, {name: copy.deepcopy(hint) for name, hint in told.items() if name not in own}

    def making(self, made: Function, method: Function) -> dict[str, Hint]:
        """Hints for what an object is made with: those of its constructor, and what a method asks of it."""
        found = copy.deepcopy(self.hints(made))
        own = {each.arg for each in method.parameters}
        for name, hint in self.hints(method).items():
            if name in found and name not in own and made.owner is method.owner is not None:
                found[name].join(hint)
        return found

    def _take_told(self, function: ast.FunctionDef, found: dict[str, Hint]) -> None:
        """Shapes that the text gives in words; what the code says of a size comes first."""
        constants = constants_of(self.tree, function)
        _take_shapes(compared_shapes(function, constants), found)
        _take_sizes(compared_sizes(function, constants, tuple(found)), found)
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
            if name_in(value, found) and name in _OPTIONS:
                found[value.id].scalar = True
                found[value.id].words.append(_OPTIONS[name])
            if name_in(value, found) and name in parameters:
                found[value.id].tensor |= name in pointers
                found[value.id].index = (self._whole if own else {}).get(name, found[value.id].index)
                found[value.id].scalar |= own and name not in pointers
                found[value.id].flag |= own and name in self._flags
                found[value.id].span |= own and name in self._spans
                found[value.id].dtype = found[value.id].dtype or (self._types.get(name) if own else None)

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

    def callees(self, function: Function) -> list[Function]:
        """The functions of the file that a function calls."""
        calls = (node for node in ast.walk(function.node) if isinstance(node, ast.Call))
        found = (self._callee(each.func)[0] for each in calls)
        return list({each.node: each for each in found if each and each.node is not function.node}.values())

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


def _take_sizes(sizes: dict[str, dict[int, str]], found: dict[str, Hint]) -> None:
    """Sizes that follow from others take the place of what code calls them."""
    for name, told in sizes.items():
        hint = found.get(name, Hint())
        for axis, text in told.items():
            if -len(hint.dims) <= axis < len(hint.dims):
                hint.dims[axis] = text
            elif axis < 0:
                hint.last[axis], hint.least_rank = text, max(hint.least_rank, -axis)


def _share_shapes(found: dict[str, Hint]) -> None:
    """Parameters whose shapes are compared as a whole have what is known of any of them."""
    for hint in found.values():
        for name, other in ((each, found[each]) for each in sorted(hint.alike)):
            if hint.rank is None and not any(hint.dims):
                hint.rank, hint.dims = other.rank, list(other.dims)
                if not any(other.dims):
                    hint.dims = ["%s_%d" % (name.lower(), axis) for axis in range(other.rank or 0)]
            hint.tensor = True


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id in names)
        or (isinstance(each, ast.Attribute) and each.attr in names)
        for each in ast.walk(node)
    )
