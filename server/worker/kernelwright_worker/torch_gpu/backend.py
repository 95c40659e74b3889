"""Compiles and loads what makes torch's tensors on `cuda` (server/torch). It must be there before torch asks
for a GPU, so nothing here imports torch.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import runpy
import sys

from .compiling import CannotCompile, cached, compile_library, files_below, find_compiler

#: The variable that holds the folder of the sources.
SOURCES = "KERNELWRIGHT_TORCH_SOURCES"

_LIBRARY = "libkernelwright_torch.so"
_OPTIONS = ("-std=c++20", "-O1", "-DAT_PER_OPERATOR_HEADERS")


class Unavailable(Exception):
    """Why there are no tensors on `cuda`, and what the user can do."""


def load() -> ctypes.CDLL:
    """Gives torch a GPU. Returns the library; raises Unavailable. To be called before torch is imported."""
    torch = torch_folder()
    version = runpy.run_path(os.path.join(torch, "version.py"))
    if version.get("cuda") or version.get("hip"):
        raise Unavailable(
            "this torch (%s) is built for a real GPU; the virtual one needs the build for the CPU: "
            "%s -m pip install torch --index-url https://download.pytorch.org/whl/cpu"
            % (version["__version__"], sys.executable)
        )
    compiler = find_compiler()
    if compiler is None:
        raise Unavailable("there is no C++ compiler. Install one: sudo apt-get install g++")
    library = _library(compiler, torch, version["__version__"])
    try:
        # torch's own libraries find each other by what this one brings into the process.
        ctypes.CDLL(os.path.join(torch, "lib", "libtorch_global_deps.so"), mode=ctypes.RTLD_GLOBAL)
        return _described(ctypes.CDLL(library))
    except OSError as error:
        raise Unavailable("%s cannot be loaded: %s" % (library, error)) from None


def torch_folder() -> str:
    return os.path.dirname(importlib.util.find_spec("torch").origin)


def compile_options(torch: str) -> list[str]:
    """For sources that include torch's headers."""
    include = os.path.join(torch, "include")
    return [*_OPTIONS, "-I" + include, "-I" + os.path.join(include, "torch", "csrc", "api", "include")]


def link_options(torch: str) -> list[str]:
    libraries = os.path.join(torch, "lib")
    return ["-L" + libraries, "-ltorch_cpu", "-lc10", "-Wl,-rpath," + libraries]


def _described(library: ctypes.CDLL) -> ctypes.CDLL:
    library.kernelwright_held_bytes.argtypes = (ctypes.c_bool,)
    library.kernelwright_held_bytes.restype = ctypes.c_uint64
    library.kernelwright_reset_most_held_bytes.restype = None
    library.kernelwright_range_of.argtypes = (
        ctypes.c_uint64,
        ctypes.POINTER(ctypes.c_uint64),
        ctypes.POINTER(ctypes.c_uint64),
    )
    library.kernelwright_range_of.restype = ctypes.c_size_t
    return library


def _library(compiler: str, torch: str, version: str) -> str:
    """Path of the library; compiled once for each version of torch and of the sources."""
    own = os.environ[SOURCES]
    # What lies in folders is for extensions.
    files = [each for each in files_below(own, ".cpp", ".hpp", ".def") if os.path.dirname(each) == own]
    sources = [each for each in files if each.endswith(".cpp")]

    def make(folder: str) -> None:
        target = os.path.join(folder, _LIBRARY)
        # As one text: the headers of torch are most of each source's time, and two of the sources would take
        # two compilers longer.
        compile_library(compiler, [sources], compile_options(torch), link_options(torch), target)

    try:
        folder = cached(
            "torch",
            (version, torch, compiler, _OPTIONS),
            files,
            make,
            "making torch's cuda device for the virtual GPU (half a minute, once)",
        )
    except CannotCompile as error:
        raise Unavailable(
            "torch's cuda device could not be compiled by %s (GCC 11 or newer and torch 2.13 are what it is "
            "made for):\n%s" % (compiler, error)
        ) from None
    return os.path.join(folder, _LIBRARY)
