"""The ways in which a kernel may be reached: functions, methods, modules, autograd functions, as texts of calls."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator

from .values.choices import Choice, named_size, shapes_in
from .values.parameters import Parameter, parameters_of
from .text.chains import is_chain, works_around
from .text.conditions import Rules, Words, constants_of, rules_of
from .text.hints import Function, Source
from .text.reading import Hint, axis_of, is_stride

#: A size that is another one in parts of so many.
_PART = re.compile(r"(\w+) // (\d+)")
#: Functions that hand their sizes on to others, one behind the other.
_MOST_DEPTH = 3


@dataclasses.dataclass
class Entry:
    """One way to call host code: what is called, with the parameters of making it and of calling it."""

    function: Function
    #: The expression up to the arguments; `%s` stands for the arguments of making it.
    head: str
    making: list[Parameter]
    calling: list[Parameter]
    #: The call goes through the backward pass.
    backward: bool = False
    #: What is called is a `torch.nn.Module`, whose parameters become inputs.
    module: bool = False
    #: Path of each parameter of the module, with its name among the inputs, and its tensor.
    state: list[tuple[str, str, Choice]] = dataclasses.field(default_factory=list)
    positional_only: bool = False
    #: Gradients of the results of a backward pass, in their order.
    gradients: list[tuple[str, Choice]] = dataclasses.field(default_factory=list)
    #: Values of sizes that the file states, and those of them that calls begin with.
    stated: dict[str, int] = dataclasses.field(default_factory=dict)
    base: dict[str, int] = dataclasses.field(default_factory=dict)
    #: The values stand in comments only.
    said: bool = False
    #: What the host code asks of sizes, in the names of its own parameters, and numbers that are defaults.
    asked: Rules = dataclasses.field(default_factory=Rules)
    defaults: dict[str, int] = dataclasses.field(default_factory=dict)
    #: What it returns torch makes by elements of what the kernel writes.
    by_elements: bool = False

    @property
    def rules(self) -> Rules:
        """What is asked of the sizes that the present choices name."""
        return self.asked.renamed({name: value for name, value in self._chosen() if value != name})

    def _chosen(self) -> Iterator[tuple[str, str | int]]:
        """The size or number that each parameter is that is no tensor."""
        for each in self.parameters:
            text = each.choice.text if each.choice and not each.choice.tensor else ""
            name = str(named_size(each.name))
            if each.choice is None and each.name in self.defaults:
                yield name, self.defaults[each.name]
            elif text.isdigit():
                yield name, int(text)
            elif text.isidentifier() and text not in ("None", "True", "False"):
                yield name, text

    @property
    def parameters(self) -> list[Parameter]:
        return [*self.making, *self.calling]

    def tensors(self) -> dict[str, Choice]:
        """The tensors that the call names, in its order."""
        found = {each.alias: each.choice for each in self.parameters if each.choice and each.choice.tensor}
        return {**found, **{alias: choice for _, alias, choice in self.state}, **dict(self.gradients)}

    def numbers(self) -> set[int]:
        """Whole numbers in the text of the function that is called, those of its defaults included."""
        constants = (each for each in ast.walk(self.function.node) if isinstance(each, ast.Constant))
        return {each.value for each in constants if type(each.value) is int}

    def maker(self) -> str:
        """The expression of what is called."""
        return self.head % _arguments(self.making) if "%s" in self.head else self.head

    def leaves(self) -> list[str]:
        """The tensors that a backward pass has gradients for."""
        wanted = {alias for alias, _ in self.gradients}
        floats = {alias for alias, choice in self.tensors().items() if "float" in choice.tensor.dtype}
        return [alias for alias in self.tensors() if alias in floats - wanted]

    def text(self) -> str:
        """The call as an expression. Of a backward pass: the gradients of all floating tensors."""
        head = self.maker()
        if self.state:
            values = ", ".join("%s=%s" % (path, alias) for path, alias, _ in self.state)
            head = "with_parameters(%s, %s)" % (head, values)
        if not self.backward:
            return "%s(%s)" % (head, _arguments(self.calling, self.positional_only))
        wanted = [alias for alias, _ in self.gradients]
        leaves = self.leaves()
        call = "%s(%s)" % (head, _arguments(self.calling, self.positional_only))
        listed = ", ".join(leaves) + ("," if len(leaves) == 1 else "")
        given = "".join(", " + alias for alias in wanted)
        return "gradients(lambda %s: %s, (%s)%s)" % (", ".join(leaves), call, listed, given)


def _arguments(parameters: list[Parameter], positional_only: bool = False) -> str:
    texts = []
    by_name = False
    for name, group in itertools.groupby(parameters, key=lambda each: each.part_of or each.name):
        members = list(group)
        if members[0].choice is None and not members[0].part_of:
            by_name = True
            continue
        text = _text(members)
        named = (by_name or members[0].keyword) and not positional_only
        texts.append("%s=%s" % (name, text) if named else text)
    return ", ".join(texts)


def _text(members: list[Parameter]) -> str:
    """The text of an argument; `members`: itself, or the parts of a tuple."""
    values = [
        each.field
        + ("=" if each.field else "")
        + (each.alias + each.choice.view if each.choice.tensor else each.choice.text)
        for each in members
        if each.choice is not None
    ]
    if not members[0].part_of:
        return values[0]
    form = members[0].form
    return form % (tuple(values) if form.count("%s") > 1 else ", ".join(values))


def entries_of(source: Source, kernel: str, pointers: set[str]) -> list[Entry]:
    """Entries that may reach the kernel, those nearest to it first, but for those that make a chain of kernels, or
    of a kernel and what torch does by elements.
    """
    found = []
    functions = source.functions
    reaching = source.reaching(kernel)
    around = [each for each in reaching if works_around(each, functions, kernel)]
    chains = [each for each in reaching if is_chain(each, functions, kernel)]
    for function in sorted(reaching, key=lambda each: each not in (*chains, *around)):
        for entry in _entries(source, function, pointers):
            entry.by_elements = function in around
            entry.asked = _rules(source, entry.function)
            entry.defaults = _defaults(entry.function.node)
            made = _constructor(source, entry.function) if entry.making else None
            if made is not None:
                entry.asked = entry.asked.join(_rules(source, made))
                entry.defaults = {**_defaults(made.node), **entry.defaults}
            _take_asked(entry)
            found.append(entry)
    return found


def _take_asked(entry: Entry) -> None:
    """Numbers that the host code asks for come first among the values of a parameter, after its default."""
    for each in entry.parameters:
        asked = entry.asked.values.get(str(named_size(each.name)), ())
        if asked and each.choice is None:
            each.choices[1:1] = [Choice(str(value), origin="inferred") for value in asked]
        elif asked and not (each.choice.tensor and each.choice.origin == "inferred"):
            each.choices[:0] = [Choice(str(value), origin="inferred") for value in asked]


def _rules(source: Source, function: Function, depth: int = 0) -> Rules:
    """What a function asks of its sizes, and what the functions of the file ask that it hands them on to."""
    hints = source.hints(function)
    words = Words(_naming(hints), constants_of(source.tree, function.node))
    rules = rules_of(source.of_object(function)[0], words)
    for parts in (_PART.fullmatch(each or "") for hint in hints.values() for each in hint.dims):
        if parts is not None:
            rules = rules.join(Rules(multiples={str(named_size(parts[1])): int(parts[2])}))
    callees = source.callees(function) if depth < _MOST_DEPTH else []
    for callee in callees:
        rules = rules.join(_rules(source, callee, depth + 1))
    return rules


def _constructor(source: Source, method: Function) -> Function | None:
    owned = (each for each in source.functions if each.owner is method.owner is not None)
    return next((each for each in owned if each.name == "__init__"), None)


def _defaults(node: ast.FunctionDef) -> dict[str, int]:
    """The whole numbers that parameters have where they are left out."""
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    behind = positional[len(positional) - len(given.defaults) :]
    pairs = [*zip(behind, given.defaults), *zip(given.kwonlyargs, given.kw_defaults)]
    return {each.arg: value.value for each, value in pairs if type(getattr(value, "value", None)) is int}


def _naming(hints: dict[str, Hint]) -> Callable[[ast.expr], str | None]:
    """Gives the name of the size that an expression is."""

    def named(size: ast.expr) -> str | None:
        if isinstance(size, ast.Name):
            return str(named_size(size.id))
        axis = axis_of(size, hints)
        if axis is None or is_stride(size):
            return None
        name, place = axis
        hint = hints[name]
        if place >= 0:
            said = hint.dims[place] if place < len(hint.dims) else None
            return str(named_size(said or "%s_%d" % (name.lower(), place)))
        said = hint.last.get(place)
        return None if said is None else str(named_size(said))

    return named


def _entries(source: Source, function: Function, pointers: set[str]) -> list[Entry]:
    def parameters(of: Function, skip: int, further: Function | None = None) -> list[Parameter]:
        shapes = shapes_in(source.hints(further)) if further else []
        if further and not shapes:
            shapes = [("rows", "columns")]
        hints = source.making(of, further) if further else source.hints(of)
        return parameters_of(of, hints, skip, (pointers, shapes))

    if function.outer is not None:
        outer = next((each for each in source.functions if each.node is function.outer), None)
        if outer is None or outer.owner or outer.outer or function.owner:
            return []
        making = parameters(outer, 0, function)
        return [_distinct_names(Entry(function, outer.name + "(%s)", making, parameters(function, 0)))]
    if function.owner is None:
        return [Entry(function, function.name, [], parameters(function, 0))]
    owner, name = function.owner.name, function.name
    bases = " ".join(ast.unparse(base) for base in function.owner.bases)
    methods = {each.name: each for each in source.functions if each.owner is function.owner}
    if "Function" in bases and name in ("forward", "backward"):
        forward = methods.get("forward")
        if forward is None:
            return []
        calling = parameters(forward, 1 if "setup_context" not in methods else 0)
        return [Entry(forward, owner + ".apply", [], calling, name == "backward", positional_only=True)]
    decorators = {ast.unparse(each) for each in function.node.decorator_list}
    if decorators & {"staticmethod", "classmethod"}:
        return [
            Entry(function, "%s.%s" % (owner, name), [], parameters(function, "classmethod" in decorators))
        ]
    if name == "__init__":
        return []
    making = parameters(methods["__init__"], 1, function) if "__init__" in methods else []
    for each in making:
        _width_first(each)
    module = "Module" in bases
    head = owner + "(%s)" + ("" if name in ("forward", "__call__") else "." + name)
    return [
        _distinct_names(
            Entry(function, head, making, parameters(function, 1), False, module and name == "forward")
        )
    ]


def _width_first(parameter: Parameter) -> None:
    """What a module is made with by the name of `dim` is a width rather than the number of a dimension."""
    if parameter.name == "dim":
        # Its default, which is no choice, stays the first.
        parameter.choices.sort(key=lambda each: each is not None and each.text in ("-1", "1", "0"))


def _distinct_names(entry: Entry) -> Entry:
    taken = {each.name for each in entry.making}
    for each in entry.calling:
        if each.name in taken:
            each.alias = each.name + "_given"
    return entry
