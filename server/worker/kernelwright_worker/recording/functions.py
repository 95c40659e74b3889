"""Which functions of a program can be called again from outside, and by what expression."""

from __future__ import annotations

import inspect
import os
import sys
import types

import torch


def expression_of(
    code: types.CodeType, module: types.ModuleType | None, arguments: dict
) -> tuple[str, int] | None:
    """What a frame's function is called by in its module, and how many of its first arguments that leaves
    out; None for one that has no such name.
    """
    if module is None:
        return None
    first = next(iter(arguments.values()), None)
    parts = code.co_qualname.split(".") if hasattr(code, "co_qualname") else _qualified(code, module)
    if parts is None or "<locals>" in parts:
        return None
    found = module
    owner = None
    for part in parts:
        owner, found = found, inspect.getattr_static(found, part, None)
    function = _function_of(found)
    if function is None or function.__code__ is not code:
        return None
    if not inspect.isclass(owner):
        return parts[0], 0
    if issubclass(owner, torch.autograd.Function):
        return (".".join([*parts[:-1], "apply"]), 1) if parts[-1] == "forward" else None
    if isinstance(found, staticmethod):
        return ".".join(parts), 0
    if isinstance(found, classmethod) and first is owner:
        return ".".join(parts), 1
    return None


def is_forward(code: types.CodeType, module: torch.nn.Module) -> bool:
    """Whether a frame's code is what calling a torch module runs."""
    return _code_of(inspect.getattr_static(type(module), "forward", None)) is code


def class_expression(kind: type, module: types.ModuleType | None) -> str | None:
    """What a class is called by in the module of its file; None for one that has no such name."""
    found: object = module
    for part in kind.__qualname__.split("."):
        found = inspect.getattr_static(found, part, None)
    return kind.__qualname__ if found is kind else None


def _qualified(code: types.CodeType, module: types.ModuleType) -> list[str] | None:
    """The name of a function in its module, or in a class of it (Python 3.10 does not tell)."""
    if _code_of(vars(module).get(code.co_name)) is code:
        return [code.co_name]
    for name, value in vars(module).items():
        if inspect.isclass(value) and _code_of(vars(value).get(code.co_name)) is code:
            return [name, code.co_name]
    return None


def _code_of(value: object) -> types.CodeType | None:
    function = _function_of(value)
    return function.__code__ if function else None


def _function_of(value: object) -> types.FunctionType | None:
    value = getattr(value, "__func__", value)
    for _ in range(8):
        if isinstance(value, types.FunctionType):
            if not hasattr(value, "__wrapped__"):
                return value
            value = value.__wrapped__
        else:
            value = getattr(value, "__wrapped__", None)
    return None


def module_of(file: str) -> types.ModuleType | None:
    """The module that was loaded from a file."""
    for module in list(sys.modules.values()):
        loaded = getattr(module, "__file__", None)
        if isinstance(loaded, str) and os.path.realpath(loaded) == file:
            return module
    return None


def kernel_expression(function: object, module: types.ModuleType | None) -> str | None:
    """What a jitted function is called by in the module of its file, decorators taken off."""
    for name, value in vars(module).items() if module else ():
        text = name
        for _ in range(8):
            if value is function:
                return text
            value, text = getattr(value, "fn", None), text + ".fn"
    return None
