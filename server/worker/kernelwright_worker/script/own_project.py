"""What a program's own project says of itself, as if it were installed: its name and version; and the package that a
script is a module of.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import sys


class _OwnDistribution(importlib.metadata.Distribution):
    def __init__(self, folder: str, name: str, version: str) -> None:
        self._folder = folder
        self._text = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)

    def read_text(self, filename: str) -> str | None:
        return self._text if filename in ("METADATA", "PKG-INFO") else None

    def locate_file(self, path: str) -> str:
        return os.path.join(self._folder, path)


class _Finder:
    """Is asked last, so that a package that is installed goes first."""

    def __init__(self, distribution: _OwnDistribution, name: str) -> None:
        self._distribution = distribution
        self._name = name

    def find_spec(self, *_: object) -> None:
        """No module comes from here."""

    def find_distributions(self, context: importlib.metadata.DistributionFinder.Context) -> list:
        wanted = context.name
        return [self._distribution] if wanted is None or _same(wanted) == self._name else []


def announce(folder: str) -> None:
    """Lets `importlib.metadata` know the project whose pyproject.toml lies in `folder`, where that tells a name and
    a version.
    """
    path = os.path.join(folder, "pyproject.toml")
    if sys.version_info < (3, 11) or not os.path.isfile(path):
        return
    import tomllib

    with open(path, "rb") as file:
        try:
            project = tomllib.load(file).get("project", {})
        except tomllib.TOMLDecodeError:
            # Only what is installed is known then; the program may not ask.
            return
    name, version = project.get("name"), project.get("version")
    if isinstance(name, str) and isinstance(version, str):
        sys.meta_path.append(_Finder(_OwnDistribution(folder, name, version), _same(name)))


def _same(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def package_of(path: str, source: str) -> tuple[str, str] | None:
    """The package of a script with relative imports, and the folder that holds it, as `python -m` would be told them;
    None for a script without such imports.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        # Running it tells where.
        return None
    levels = [node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    depth = max(levels, default=0)
    if depth == 0:
        return None
    folder = os.path.dirname(os.path.realpath(path))
    names: list[str] = []
    while len(names) < depth or os.path.isfile(os.path.join(folder, "__init__.py")):
        above, name = os.path.split(folder)
        if name == "":
            return None
        names.insert(0, name)
        folder = above
    return ".".join(names), folder
