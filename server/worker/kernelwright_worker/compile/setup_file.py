"""What a setup.py, or a script that loads an extension, says of its sources; neither is run."""

from __future__ import annotations

import ast

#: Calls that name a folder: the arguments are joined by slashes.
_JOINS = ("os.path.join", "osp.join", "path.join", "Path", "pathlib.Path")
#: Calls that give their first argument back.
_SAME = ("os.path.abspath", "os.path.realpath", "os.path.normpath", "str", "os.fspath", "list", "tuple")
#: The folder that the file lies in.
_HERE = ("os.path.dirname", "osp.dirname", "os.getcwd", "os.path.dirname(__file__)")
#: The parameters of `torch.utils.cpp_extension.load`, in their order.
_LOAD = ("name", "sources", "extra_cflags", "extra_cuda_cflags", "extra_ldflags", "extra_include_paths")


def read_setup_file(text: str) -> list[dict]:
    """One entry for each CUDAExtension or Extension: line, includeFolders, defines ([name, value or None]),
    nvccFlags. One for each load() of torch.utils.cpp_extension too, with its sources where they are written
    out. Branches count as taken; what is not written out is left out. Empty for a file that does not parse.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    reader = _Reader()
    reader.visit(tree)
    return reader.found


class _Reader(ast.NodeVisitor):
    """Follows assignments in the order of the text."""

    def __init__(self) -> None:
        self.found: list[dict] = []
        self._values: dict[str, object] = {"__file__": "setup.py"}
        #: What `load` is called here.
        self._loaders: set[str] = set()

    def visit_Import(self, node: ast.Import) -> None:
        extensions = [each for each in node.names if each.name.endswith("cpp_extension")]
        self._loaders |= {(each.asname or each.name) + ".load" for each in extensions}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for each in node.names:
            name = each.asname or each.name
            if each.name == "cpp_extension":
                self._loaders.add(name + ".load")
            elif each.name == "load" and (node.module or "").endswith("cpp_extension"):
                self._loaders.add(name)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        value = self._value(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name) and value is not None:
                self._values[target.id] = value
            if isinstance(target, ast.Subscript):
                self._put(target, value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        self._extend(node.target, self._value(node.value))

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name = _name_of(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend") and node.args:
            value = self._value(node.args[0])
            self._extend(node.func.value, [value] if node.func.attr == "append" else value)
        if name.rsplit(".", 1)[-1] in ("CUDAExtension", "Extension", "extension", "CppExtension"):
            self._take(node)
        if name in self._loaders:
            self._take_load(node)

    def _take_load(self, node: ast.Call) -> None:
        given = {name: self._value(value) for name, value in zip(_LOAD, node.args)}
        given |= {word.arg: self._value(word.value) for word in node.keywords if word.arg}
        sources = _texts(given.get("sources"))
        self.found.append(
            {
                "line": node.lineno,
                **({"sources": sources} if sources else {}),
                "includeFolders": _texts(given.get("extra_include_paths")),
                "defines": [],
                "nvccFlags": _texts(given.get("extra_cuda_cflags")),
            }
        )

    def _take(self, node: ast.Call) -> None:
        given = {word.arg: self._value(word.value) for word in node.keywords if word.arg}
        flags = given.get("extra_compile_args")
        if isinstance(flags, dict):
            flags = flags.get("nvcc")
        defines = [
            [each[0], each[1] if len(each) > 1 and isinstance(each[1], str) else None]
            for each in _listed(given.get("define_macros"))
            if isinstance(each, (list, tuple)) and each and isinstance(each[0], str)
        ]
        folders = [each for each in _listed(given.get("include_dirs")) if isinstance(each, str)]
        words = [each for each in _listed(flags) if isinstance(each, str)]
        self.found.append(
            {"line": node.lineno, "includeFolders": folders, "defines": defines, "nvccFlags": words}
        )

    def _put(self, target: ast.Subscript, value: object) -> None:
        holder, key = self._value(target.value), self._value(target.slice)
        if isinstance(holder, dict) and isinstance(key, str):
            holder[key] = value

    def _extend(self, target: ast.expr, value: object) -> None:
        holder = self._value(target)
        if isinstance(holder, list):
            holder.extend(_listed(value))

    def _value(self, node: ast.expr) -> object:
        """The value of what is written out; None for all else, and for it inside of lists."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._values.get(node.id)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._value(each) for each in node.elts]
        if isinstance(node, ast.Dict):
            pairs = [
                (self._value(key), self._value(value)) for key, value in zip(node.keys, node.values) if key
            ]
            return {key: value for key, value in pairs if isinstance(key, str)}
        if isinstance(node, ast.JoinedStr):
            return self._joined(node)
        if isinstance(node, ast.BinOp):
            return self._combined(node)
        if isinstance(node, ast.IfExp):
            return self._value(node.body)
        if isinstance(node, ast.Subscript):
            holder, key = self._value(node.value), self._value(node.slice)
            return holder.get(key) if isinstance(holder, dict) and isinstance(key, str) else None
        if isinstance(node, ast.Attribute):
            return self._value(node.value) if node.attr == "parent" else None
        return self._called(node) if isinstance(node, ast.Call) else None

    def _joined(self, node: ast.JoinedStr) -> str | None:
        parts = [
            self._value(each.value) if isinstance(each, ast.FormattedValue) else self._value(each)
            for each in node.values
        ]
        return "".join(str(part) for part in parts) if all(part is not None for part in parts) else None

    def _combined(self, node: ast.BinOp) -> object:
        left, right = self._value(node.left), self._value(node.right)
        if isinstance(node.op, ast.Div) and isinstance(left, str) and isinstance(right, str):
            return _path(left, right)
        if isinstance(node.op, ast.Add) and isinstance(left, str) and isinstance(right, str):
            return left + right
        if isinstance(node.op, ast.Add) and (isinstance(left, list) or isinstance(right, list)):
            return [*_listed(left), *_listed(right)]
        return None

    def _called(self, node: ast.Call) -> object:
        name = _name_of(node.func)
        values = [self._value(each) for each in node.args]
        if name.rsplit(".", 1)[-1] in ("dirname", "getcwd"):
            return "."
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("resolve", "absolute", "copy"):
            return self._value(node.func.value)
        if name in _SAME and values:
            return values[0]
        if name in _JOINS and values and all(isinstance(each, str) for each in values):
            return _path(*(str(each) for each in values))
        return None


def _path(*parts: str) -> str:
    return "/".join("." if part == "setup.py" else part for part in parts)


def _texts(value: object) -> list:
    return [each for each in _listed(value) if isinstance(each, str)]


def _listed(value: object) -> list:
    return list(value) if isinstance(value, (list, tuple)) else []


def _name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return "%s.%s" % (_name_of(node.value), node.attr) if isinstance(node, ast.Attribute) else ""
