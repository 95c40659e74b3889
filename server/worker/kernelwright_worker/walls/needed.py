"""Which folders a process needs in view: the system's, its own program's and its compilers'."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import tempfile
from typing import Iterable

from . import system
from .view import View

SYSTEM_FOLDERS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
)
#: Of /etc nothing but what the dynamic linker and links to compilers need.
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
)
#: Folders that hold other people's things: never shown as a whole.
CROWDED = ("/", "/root", "/home", "/tmp", "/var", "/etc", "/run", "/srv", "/media", "/mnt", "/opt", "/proc")
_PACKAGES = ("site-packages", "dist-packages", "lib-dynload")
_NVCC_IN_SCRIPT = re.compile(r"(/[^\s\"'$]+)/bin/nvcc\b")


def view_of(folders: Iterable[str], writable: str, memory_bytes: int = 0) -> View:
    """The system's folders and these; those that are missing or crowded are left out."""
    named = [os.path.abspath(path) for path in (*SYSTEM_FOLDERS, *SYSTEM_FILES, *folders) if path]
    present = [path for path in named if os.path.exists(path)]
    found = {*present, *(os.path.realpath(path) for path in present)}
    return View(sorted(path for path in found if not is_crowded(path)), writable, memory_bytes)


def is_crowded(path: str) -> bool:
    """True for folders that hold more than one thing: the top, homes, folders of temporary files, and what
    they lie in.
    """
    home, temporary = system.home_folder(), os.path.realpath(tempfile.gettempdir())
    return path in CROWDED or system.is_below(home, path) or system.is_below(temporary, path)


def python_folders() -> list[str]:
    """Folders that this interpreter, its packages and the worker are read from. An entry of the path that is
    no folder of packages (a project that is installed in place) is left out, unless torch or Triton lie
    in it.
    """
    worker = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
    interpreter = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(sys.executable)]
    packages = [path for path in sys.path if os.path.basename(path.rstrip("/")) in _PACKAGES]
    return [worker, *interpreter, *packages, *_package_folders(), *listed("LD_LIBRARY_PATH")]


def _package_folders() -> list[str]:
    folders = []
    for name in ("numpy", "torch", "triton"):
        found = importlib.util.find_spec(name)
        folders += list(found.submodule_search_locations or []) if found is not None else []
    return folders


def compiler_folders(nvcc: str, ptxas: str) -> list[str]:
    """The toolkit of these compilers, the folders of the host compiler, and include folders that the user
    named in the environment (CPATH, CPLUS_INCLUDE_PATH).
    """
    tools = [path for path in (nvcc, ptxas) if path]
    places = [place for tool in tools for place in _around(tool)]
    homes = [os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH")]
    hosts = [place for path in listed("PATH") for place in _host_compilers(path)]
    return [
        *places,
        *homes,
        *hosts,
        *listed("CPATH"),
        *listed("CPLUS_INCLUDE_PATH"),
        *listed("LD_LIBRARY_PATH"),
    ]


def _around(tool: str) -> list[str]:
    """Folders that a program of a toolkit may need: its own, the toolkit around it, NVIDIA's other packages
    beside it, and the toolkit that a script of that name hands over to.
    """
    real = os.path.realpath(tool)
    toolkit = os.path.dirname(os.path.dirname(real))
    beside = os.path.dirname(toolkit)
    places = [tool, real, os.path.dirname(real), toolkit]
    places += [beside] if os.path.basename(beside) == "nvidia" else []
    try:
        with open(real, "rb") as file:
            start = file.read(4096)
    except OSError:
        return places
    if start.startswith(b"#!"):
        for home in _NVCC_IN_SCRIPT.findall(start.decode("utf-8", "replace")):
            places += [home, os.path.realpath(home)]
    return places


def _host_compilers(folder: str) -> list[str]:
    found = [os.path.join(folder, name) for name in ("g++", "gcc", "c++", "cc")]
    real = [os.path.realpath(path) for path in found if os.access(path, os.X_OK)]
    return [
        place for path in real for place in (os.path.dirname(path), os.path.dirname(os.path.dirname(path)))
    ]


def listed(variable: str) -> list[str]:
    """The absolute paths that a variable of the environment names."""
    return [path for path in os.environ.get(variable, "").split(":") if os.path.isabs(path)]
