"""Expected values: from a Python callable of the baseline tree or from numpy expressions."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from collections.abc import Callable

import numpy

from ..errors import WorkerError
from .argument_names import python_names
from .expressions import evaluate
from ..source_files import SourceFolder, inside


class CallableReference:
    """`FILE::FUNCTION` of the tree as it was before the session. Candidates never reach it: it runs in the
    oracle's process.
    """

    def __init__(self, text: str, files: dict[str, str]) -> None:
        self._file, separator, self._name = text.partition("::")
        if not separator or self._file not in files:
            raise WorkerError(
                "spec-invalid", "reference %r: write FILE::FUNCTION with a file of the workspace" % text
            )
        self._sources = SourceFolder(
            {name: content for name, content in files.items() if name.endswith(".py")}
        )
        self._function = self._load(text)

    def _load(self, text: str) -> Callable:
        folder = self._sources.__enter__().path
        path = inside(folder, self._file)
        sys.path[:0] = [os.path.dirname(path), folder]
        module_spec = importlib.util.spec_from_file_location("kernelwright_reference", path)
        module = importlib.util.module_from_spec(module_spec)
        try:
            module_spec.loader.exec_module(module)
        except Exception as error:
            raise WorkerError(
                "spec-invalid",
                "reference %s could not be imported: %s: %s" % (text, type(error).__name__, error),
            ) from error
        function = getattr(module, self._name, None)
        if not callable(function):
            raise WorkerError(
                "spec-invalid", "reference %s: the file has no function %s" % (text, self._name)
            )
        return function

    def __call__(
        self, inputs: dict[str, numpy.ndarray], sizes: dict[str, int], outputs: list[str]
    ) -> dict[str, numpy.ndarray]:
        names = {**sizes, **inputs}
        try:
            wanted = inspect.signature(self._function).parameters
            if not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in wanted.values()):
                spelled = python_names(names)
                names = {spelled[name]: value for name, value in names.items() if spelled[name] in wanted}
            returned = self._function(**names)
        except Exception as error:
            raise WorkerError(
                "spec-invalid",
                "reference %s::%s failed: %s: %s" % (self._file, self._name, type(error).__name__, error),
            ) from error
        values = returned if isinstance(returned, (tuple, list)) else [returned]
        if isinstance(returned, dict):
            values = [returned.get(name) for name in outputs]
        if len(values) != len(outputs):
            raise WorkerError(
                "spec-invalid",
                "reference %s::%s gave %d values for %d outputs"
                % (self._file, self._name, len(values), len(outputs)),
            )
        return dict(zip(outputs, (numpy.asarray(value) for value in values)))


class ExpressionReference:
    """One numpy expression for each output."""

    def __init__(self, expressions: dict[str, str], outputs: list[str]) -> None:
        missing = [name for name in outputs if name not in expressions]
        if missing:
            raise WorkerError(
                "spec-invalid", "the reference has no expression for output %s" % ", ".join(missing)
            )
        self._expressions = expressions

    def __call__(
        self, inputs: dict[str, numpy.ndarray], sizes: dict[str, int], outputs: list[str]
    ) -> dict[str, numpy.ndarray]:
        names = {**sizes, **inputs}
        try:
            return {name: numpy.asarray(evaluate(self._expressions[name], names)) for name in outputs}
        except WorkerError:
            raise
        except Exception as error:
            raise WorkerError(
                "spec-invalid", "the reference expression failed: %s: %s" % (type(error).__name__, error)
            ) from error


def make_reference(
    specification: dict, files: dict[str, str], outputs: list[str]
) -> CallableReference | ExpressionReference | None:
    """The reference of a spec; None for `baseline`, whose values are sent."""
    if specification["kind"] == "callable":
        return CallableReference(specification["callable"], files)
    if specification["kind"] == "expression":
        return ExpressionReference(specification["expressions"], outputs)
    return None
