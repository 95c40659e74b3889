"""Calls an entry: a function with arguments in order, or a Python expression over the inputs, the outputs that
it fills and the sizes, such as `RMSNorm(hidden)(x)`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import math
import types
from collections.abc import Callable, Iterable

import torch
import triton


def is_expression(call: str) -> bool:
    """True where an entry is a whole expression, not the name of a function."""
    return "(" in call


def resolve(module: object, dotted: str) -> object:
    """What a dotted name means in a module; None where it means nothing."""
    found = module
    for name in dotted.split("."):
        found = getattr(found, name, None)
    return found


def evaluate(
    module: object,
    expression: str,
    names: dict,
    handed: dict[tuple[str, str], torch.Tensor],
    making: Callable[[], contextlib.AbstractContextManager] = contextlib.nullcontext,
) -> object:
    """The value of an expression in the module's own names and those of the case. `handed`: the tensor that the
    last launch of a kernel had, by the names of kernel and parameter; filled while the expression runs.
    `making`: what the parts run in that make torch modules of sizes alone, before all else.
    """

    def make(module_of: Callable[[], object]) -> object:
        with making():
            return module_of()

    return prepare(module, expression, names, handed, make)(names)


def prepare(
    module: object,
    expression: str,
    names: dict,
    handed: dict[tuple[str, str], torch.Tensor],
    make: Callable[[Callable[[], object]], object],
) -> Callable[[dict], object]:
    """What gives the value of an expression for such names any number of times, as `evaluate` does. The torch
    modules are made now, once: `make` is given what makes one.
    """
    helpers = {
        "torch": torch,
        "triton": triton,
        "math": math,
        "SimpleNamespace": types.SimpleNamespace,
        "with_parameters": with_parameters,
        "with_gradients": with_gradients,
        "gradients": gradients,
        "results": results,
        "kernel_arguments": functools.partial(_kernel_arguments, handed),
    }
    known = {**helpers, **vars(module)}
    tensors = {name for name, value in names.items() if isinstance(value, torch.Tensor)}
    makers = _Makers(known, tensors)
    tree = ast.fix_missing_locations(makers.visit(ast.parse(expression, "<entry>", "eval")))
    sizes = {name: value for name, value in names.items() if name not in tensors}
    made = {}
    for name, call in makers.found.items():
        # Without the tensors: what makes a module may not begin with their work.
        made[name] = make(functools.partial(_value, _compiled(ast.Expression(call)), {**known, **sizes}))
    code, known = _compiled(tree), {**known, **made}
    return lambda given: _value(code, {**known, **given})


def _compiled(tree: ast.Expression) -> types.CodeType:
    return compile(tree, "<entry>", "eval")


def _value(code: types.CodeType, names: dict[str, object]) -> object:
    return eval(code, names)  # noqa: S307


class _Makers(ast.NodeTransformer):
    """Takes the calls out of an expression that make a torch module and name no tensor of the case."""

    def __init__(self, known: dict[str, object], tensors: set[str]) -> None:
        self._known = known
        self._tensors = tensors
        #: The calls by the names that stand in their places.
        self.found: dict[str, ast.Call] = {}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not self._makes_module(node.func) or self._names_tensor(node):
            return self.generic_visit(node)
        name = "_made_%d" % len(self.found)
        self.found[name] = node
        return ast.Name(name, ast.Load())

    def _makes_module(self, called: ast.expr) -> bool:
        path = []
        while isinstance(called, ast.Attribute):
            path.append(called.attr)
            called = called.value
        found = self._known.get(called.id) if isinstance(called, ast.Name) else None
        for attribute in reversed(path):
            found = getattr(found, attribute, None)
        return isinstance(found, type) and issubclass(found, torch.nn.Module)

    def _names_tensor(self, node: ast.Call) -> bool:
        return any(isinstance(each, ast.Name) and each.id in self._tensors for each in ast.walk(node))


def with_parameters(built: torch.nn.Module, **values: torch.Tensor) -> torch.nn.Module:
    """A module whose parameters and buffers, by their path with `__` for each dot, are the tensors given."""
    for path, tensor in values.items():
        *owners, name = path.split("__")
        owner = built
        for each in owners:
            owner = getattr(owner, each)
        if name in getattr(owner, "_parameters", {}):
            owner._parameters[name] = torch.nn.Parameter(tensor, requires_grad=tensor.is_floating_point())
        elif name in getattr(owner, "_buffers", {}):
            owner._buffers[name] = tensor
        else:
            setattr(owner, name, tensor)
    return built


def with_gradients(*tensors: torch.Tensor) -> list[torch.nn.Parameter]:
    """The parameters of an optimizer: the first half of the tensors, each with its gradient of the second half."""
    parameters = [torch.nn.Parameter(each) for each in tensors[: len(tensors) // 2]]
    for parameter, gradient in zip(parameters, tensors[len(parameters) :]):
        parameter.grad = gradient
    return parameters


def gradients(
    function: Callable,
    inputs: Iterable[torch.Tensor],
    *wanted: torch.Tensor,
    computed: tuple[int, ...] = (),  # noqa: ARG001
) -> tuple[torch.Tensor, ...]:
    """What the backward pass of `function` gives for the inputs, given the gradients of its results in order
    (ones when there are none); None for an input that has no part in them. `computed`: which of them torch may
    compute, as who reads the expression knows.
    """
    leaves = [each.detach().requires_grad_(True) for each in inputs]
    made = [each for each in flat(function(*leaves)) if each.requires_grad]
    given = list(wanted) or [torch.ones_like(each) for each in made]
    return torch.autograd.grad(made[: len(given)], leaves, given, allow_unused=True)


def results(returned: object, *positions: int) -> list[torch.Tensor]:
    """Those tensors of what an entry returned, counted from 0."""
    tensors = flat(returned)
    return [tensors[position] for position in positions]


def _kernel_arguments(
    handed: dict[tuple[str, str], torch.Tensor],
    returned: object,
    kernel: str,
    *parameters: str,
    computed: tuple[int, ...] = (),
) -> list[torch.Tensor]:
    """What the last launch of a kernel was given for these parameters: for an entry that goes on to compute with
    what its kernel wrote. `computed`: which of the tensors that it returned come of that; they follow.
    """
    for parameter in parameters:
        if (kernel, parameter) not in handed:
            raise LookupError("no launch of %s had a tensor for its parameter %s" % (kernel, parameter))
    given = [readable(handed[kernel, parameter]) for parameter in parameters]
    return [*given, *(results(returned, *computed) if computed else [])]


def flat(returned: object) -> list[torch.Tensor]:
    """The tensors of what an entry returned, in order; numbers, None and the like hold no result."""
    if isinstance(returned, torch.Tensor):
        return [readable(returned)]
    if isinstance(returned, dict):
        return [tensor for value in returned.values() for tensor in flat(value)]
    if isinstance(returned, (tuple, list)):
        return [tensor for value in returned for tensor in flat(value)]
    return []


def readable(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor whose numbers a spec can name: of eight-bit real numbers the same memory as bytes."""
    eight_bits = tensor.is_floating_point() and tensor.element_size() == 1
    return tensor.view(torch.uint8) if eight_bits else tensor
