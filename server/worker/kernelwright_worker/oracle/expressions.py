"""Reference expressions: arithmetic over numpy names and nothing else. Evaluated on the syntax tree, never by
eval.
"""

from __future__ import annotations

import ast
import operator

import numpy

from ..errors import WorkerError
from .argument_names import python_names, with_python_names

FUNCTIONS = frozenset(
    (
        "abs absolute all amax amin any arange arccos arcsin arctan argmax argmin argsort around broadcast_to ceil clip concatenate copysign cos "
        "cosh cumprod cumsum diag dot einsum equal exp exp2 expand_dims expm1 expit eye flip float32 float64 floor fmod full full_like greater hypot "
        "inner int32 int64 isfinite isnan less linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or matmul max maximum "
        "mean min minimum mod moveaxis multiply negative nonzero ones ones_like outer pad power prod reciprocal repeat reshape roll round "
        "searchsorted sign sin sinh sort sqrt square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile trace transpose tril triu "
        "trunc var vstack hstack where zeros zeros_like"
    ).split()
)
METHODS = frozenset(
    "T shape size ndim sum mean max min prod std var reshape transpose argmax argmin cumsum dot clip round astype any all swapaxes ravel squeeze copy".split()
)
CONSTANTS = {"pi": numpy.pi, "e": numpy.e, "inf": numpy.inf, "newaxis": None}
_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_, ast.Invert: operator.invert}
_COMPARE = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def evaluate(text: str, names: dict[str, object]) -> object:
    """Value of an expression over `names` (arrays and integers), which may be words of Python (`in`). Raises
    spec-invalid with the part that is not understood.
    """
    spelled = python_names(names)
    try:
        tree = ast.parse(with_python_names(text.strip(), spelled), mode="eval")
    except SyntaxError as error:
        raise WorkerError(
            "spec-invalid", "reference expression %r is not an expression: %s" % (text, error.msg)
        ) from error
    return _Evaluation(text, {spelled[name]: value for name, value in names.items()}).of(tree.body)


class _Evaluation:
    def __init__(self, text: str, names: dict[str, object]) -> None:
        self._text = text
        self._names = names

    def of(self, node: ast.AST) -> object:
        handler = getattr(self, "_" + type(node).__name__.lower(), None)
        if handler is None:
            raise self._refused(node)
        return handler(node)

    def _refused(self, node: ast.AST) -> WorkerError:
        return WorkerError(
            "spec-invalid",
            "reference expression %r: %r is not allowed; use arithmetic, indexing and numpy functions"
            % (self._text, ast.unparse(node) if hasattr(ast, "unparse") else type(node).__name__),
        )

    def _constant(self, node: ast.Constant) -> object:
        if not isinstance(node.value, (int, float, bool, str, type(None), type(Ellipsis))):
            raise self._refused(node)
        return node.value

    def _name(self, node: ast.Name) -> object:
        if node.id in self._names:
            return self._names[node.id]
        if node.id in CONSTANTS:
            return CONSTANTS[node.id]
        raise WorkerError(
            "spec-invalid",
            "reference expression %r: %r is neither an input, a size, a value nor a numpy name"
            % (self._text, node.id),
        )

    def _binop(self, node: ast.BinOp) -> object:
        return _BINARY[type(node.op)](self.of(node.left), self.of(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> object:
        return _UNARY[type(node.op)](self.of(node.operand))

    def _compare(self, node: ast.Compare) -> object:
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARE:
            raise self._refused(node)
        return _COMPARE[type(node.ops[0])](self.of(node.left), self.of(node.comparators[0]))

    def _ifexp(self, node: ast.IfExp) -> object:
        return self.of(node.body) if self.of(node.test) else self.of(node.orelse)

    def _tuple(self, node: ast.Tuple) -> tuple[object, ...]:
        return tuple(self.of(element) for element in node.elts)

    def _list(self, node: ast.List) -> list[object]:
        return [self.of(element) for element in node.elts]

    def _subscript(self, node: ast.Subscript) -> object:
        return self.of(node.value)[self.of(node.slice)]

    def _index(self, node: ast.Index) -> object:
        # Python 3.8 wraps a plain index in a node of its own.
        return self.of(node.value)

    def _slice(self, node: ast.Slice) -> slice:
        return slice(
            *(None if part is None else self.of(part) for part in (node.lower, node.upper, node.step))
        )

    def _attribute(self, node: ast.Attribute) -> object:
        if isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy"):
            if node.attr in CONSTANTS:
                return CONSTANTS[node.attr]
            if node.attr in FUNCTIONS and hasattr(numpy, node.attr):
                return getattr(numpy, node.attr)
        elif node.attr in METHODS:
            return getattr(self.of(node.value), node.attr)
        raise self._refused(node)

    def _call(self, node: ast.Call) -> object:
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in FUNCTIONS
            and node.func.id not in self._names
            and hasattr(numpy, node.func.id)
        ):
            function = getattr(numpy, node.func.id)
        elif isinstance(node.func, ast.Attribute):
            function = self.of(node.func)
        else:
            raise self._refused(node)
        if any(isinstance(argument, ast.Starred) for argument in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            raise self._refused(node)
        return function(
            *(self.of(argument) for argument in node.args),
            **{keyword.arg: self.of(keyword.value) for keyword in node.keywords},
        )
