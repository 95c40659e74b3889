"""Imports the file of an entry as its own project would: as a module of its package where it stands in one."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Iterator


#: Folders that hold a project's packages and are none themselves.
_LAYOUTS = ("src", "python")
#: What stands before the name of a file or of an outermost folder whose own name is another module's.
_OWN_NAME = "kernelwright_own_"


def import_file(folder: str, name: str) -> types.ModuleType:
    """Imports `name` (relative to `folder`, where the candidate's files lie).

    A file with relative imports, or beside an `__init__.py`, is a module of its package. The packages
    around it are first taken as plain folders: their `__init__.py` often draws in a whole project. Only
    when something of one is missing then is it imported for real, and at last all of them. Raises what the
    file raises.
    """
    parent, dotted = _place(folder, name)
    packaged = "." in dotted
    own = os.path.dirname(os.path.join(folder, name))
    _extend_path([parent, *_above(folder, parent)] if packaged else [own, *_above(folder, own)])
    if not packaged:
        return _import_alone(folder, name, dotted)
    before = set(sys.modules)
    try:
        return _import_bare(parent, dotted, before)
    except (ImportError, AttributeError) as error:
        if not os.path.isfile(os.path.join(parent, dotted.split(".")[0], "__init__.py")):
            # A folder without code, or one that has a name of ours.
            raise
        _forget(dotted, before)
        try:
            return importlib.import_module(dotted)
        except Exception:  # Whatever stands in the way of the whole project: this was asked for.
            raise error from None


def _import_alone(folder: str, name: str, module: str) -> types.ModuleType:
    """Imports a file that is in no package; under a name of its own where its own name is another module's."""
    if not _is_taken(folder, module):
        return importlib.import_module(module)
    spec = importlib.util.spec_from_file_location(_OWN_NAME + module, os.path.join(folder, name))
    assert spec is not None and spec.loader is not None, "a file of Python has a loader"
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    try:
        spec.loader.exec_module(loaded)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return loaded


def _is_taken(folder: str, name: str) -> bool:
    """Whether a module of this name is imported already and none of the candidate's: `triton`, `random`."""
    module = sys.modules.get(name)
    if module is None:
        return False
    places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", [])]
    return not any(os.path.realpath(place).startswith(folder + os.sep) for place in places)


def _import_bare(parent: str, dotted: str, before: set[str]) -> types.ModuleType:
    """Imports a module whose packages are plain folders, but for those of which something is asked."""
    real: set[str] = set()
    while True:
        try:
            _stand_in_for_parents(parent, dotted, real)
            return importlib.import_module(dotted)
        except (ImportError, AttributeError) as error:
            package = _asked_of(error)
            if package is None or package in real or not dotted.startswith(package + "."):
                raise
            real.add(package)
            _forget(dotted, before)


def _asked_of(error: ImportError | AttributeError) -> str | None:
    """The module that lacks what was asked of it."""
    if isinstance(error, AttributeError):
        return error.obj.__name__ if isinstance(error.obj, types.ModuleType) else None
    return None if isinstance(error, ModuleNotFoundError) else error.name


def _forget(dotted: str, before: set[str]) -> None:
    """Takes what was imported of a module's project out of the imported modules again."""
    top = dotted.split(".")[0]
    for added in set(sys.modules) - before:
        if added.split(".")[0] == top:
            del sys.modules[added]


def _place(folder: str, name: str) -> tuple[str, str]:
    """The folder that holds the outermost package of a file, and the dotted name from there."""
    parts = os.path.splitext(name)[0].split("/")
    own = len(parts) - 1
    cut = own
    # A package reaches as far up as the relative imports of any file in it.
    for path, level in _relative_imports(folder):
        around = path.split("/")[:-1]
        begins = len(around) - level
        if level > 0 and 0 <= begins < own and around[: begins + 1] == parts[: begins + 1]:
            cut = min(cut, begins)
    while cut > 0 and os.path.isfile(os.path.join(folder, *parts[:cut], "__init__.py")):
        cut -= 1
    # One that is imported by its absolute name begins there.
    asked = _absolute_imports(os.path.join(folder, name))
    cut = next((at for at in range(cut) if _holds(os.path.join(folder, *parts[: at + 1]), asked)), cut)
    if cut < own:
        # A folder `triton` in a package is a part of that package.
        while cut > 0 and _is_taken(folder, parts[cut]):
            cut -= 1
    top = _OWN_NAME + parts[cut] if cut < own and _is_taken(folder, parts[cut]) else parts[cut]
    return os.path.join(folder, *parts[:cut]), ".".join([top, *parts[cut + 1 :]])


def _relative_imports(folder: str) -> Iterator[tuple[str, int]]:
    """Path of each file below a folder, with the greatest level of its relative imports."""
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py"):
                full = os.path.join(path, name)
                levels = [node.level for node in _imports(full) if isinstance(node, ast.ImportFrom)]
                yield os.path.relpath(full, folder), max(levels, default=0)


def _absolute_imports(path: str) -> list[tuple[list[str], bool]]:
    """What a file imports by an absolute name, as parts, and whether the last may be no module but a name."""
    asked: list[tuple[list[str], bool]] = []
    for node in _imports(path):
        if isinstance(node, ast.Import):
            asked.extend((alias.name.split("."), False) for alias in node.names)
        elif node.level == 0 and node.module:
            asked.extend(([*node.module.split("."), alias.name], True) for alias in node.names)
    return asked


def _holds(package: str, asked: list[tuple[list[str], bool]]) -> bool:
    """True for a folder that one of the imports means: it is no package of ours because of its name alone.

    Kernels often lie in a folder `triton`, and import the installed one.
    """
    has_code = os.path.isfile(os.path.join(package, "__init__.py"))
    for (first, *rest), may_be_name in asked:
        if first != os.path.basename(package):
            continue
        if has_code and (not rest or (may_be_name and len(rest) == 1)):
            return True
        inside = os.path.join(package, *rest[:1])
        if rest and (os.path.isdir(inside) or os.path.isfile(f"{inside}.py")):
            return True
    return False


def _imports(path: str) -> list[ast.Import | ast.ImportFrom]:
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (SyntaxError, ValueError):
        # The import itself tells where.
        return []
    return [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


def _above(folder: str, path: str) -> list[str]:
    """The folders from above `path` to `folder`, the nearest first, each followed by those in it that projects
    keep their packages in.
    """
    above = []
    while path != folder and path.startswith(folder + os.sep):
        path = os.path.dirname(path)
        above.append(path)
    roots = [*above, folder]
    return [place for each in roots for place in (each, *(os.path.join(each, name) for name in _LAYOUTS))]


def _extend_path(folders: list[str]) -> None:
    found = [path for path in dict.fromkeys(folders) if os.path.isdir(path)]
    sys.path[:0] = [path for path in found if path not in sys.path]
    importlib.invalidate_caches()


def _stand_in_for_parents(parent: str, dotted: str, real: set[str]) -> None:
    """Makes the packages around a module without running their `__init__.py`, but for the `real` ones."""
    names = dotted.split(".")[:-1]
    for depth in range(1, len(names) + 1):
        name = ".".join(names[:depth])
        if name in sys.modules:
            continue
        if name in real:
            importlib.import_module(name)
            continue
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(parent, names[0].removeprefix(_OWN_NAME), *names[1:depth])]
        package.__package__ = name
        sys.modules[name] = package
        if depth > 1:
            setattr(sys.modules[".".join(names[: depth - 1])], names[depth - 1], package)
