"""A CUDA toolkit for torch's extensions: the installed one, with the virtual GPU's runtime and with what
torch's CPU build lacks of its CUDA libraries.
"""

from __future__ import annotations

import ctypes
import os
import re
import stat
import subprocess

from ..compile.tools import find_nvcc
from ..errors import WorkerError
from . import backend
from .compiling import CannotCompile, cached, compile_library, files_below, find_compiler

#: The variable that holds the folder of the runtime's sources.
RUNTIME_SOURCES = "KERNELWRIGHT_RUNTIME_SOURCES"

_RUNTIME = "libkernelwright_cudart.so"
_TORCH_CUDA = "libkernelwright_torch_cuda.so"
#: Of the runtime's sources, what a process that has a main program of its own needs.
_ROOMS = ("device", "graphs", "memory", "modules", "refused")
#: By these names extensions are linked with them.
_ALIASES = {"libcudart.so": _RUNTIME, "libc10_cuda.so": _TORCH_CUDA, "libtorch_cuda.so": _TORCH_CUDA}

#: Puts what the virtual GPU runs in the place of the architectures that were asked for.
_NVCC = """#!/bin/sh
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  case "$word" in
    -gencode=* | --generate-code=* | -arch=* | --gpu-architecture=*) ;;
    -gencode | --generate-code | -arch | --gpu-architecture) shift; left=$((left - 1)) ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec "%s" "$@" -gencode "arch=compute_%d,code=[compute_%d,sm_%d]" -lineinfo -Xfatbin -compress=false
"""


class NoToolkit(Exception):
    """Why extensions cannot be compiled, and what the user can do."""


def made(capability: int, anew: bool = True) -> str | None:
    """Path of the toolkit; made unless it is there, or None then without `anew`. `capability`: of the modelled
    GPU. Raises NoToolkit.
    """
    try:
        nvcc = os.path.realpath(find_nvcc())
    except WorkerError as error:
        raise NoToolkit(str(error)) from None
    own, runtime = os.environ[backend.SOURCES], os.environ[RUNTIME_SOURCES]
    compiler, torch = find_compiler(), backend.torch_folder()

    def make(folder: str) -> None:
        _make(folder, nvcc, max(capability, 80), compiler)

    try:
        return cached(
            "torch-toolkit",
            (nvcc, torch, compiler, capability, _NVCC),
            [*files_below(own, ".cpp", ".h"), *files_below(runtime, ".cpp", ".hpp", ".def", ".h")],
            make if anew else None,
            "making the CUDA runtime of the virtual GPU for torch's extensions (a minute, once)",
        )
    except CannotCompile as error:
        raise NoToolkit("the runtime for torch's extensions could not be compiled:\n%s" % error) from None


def include_folders() -> list[str]:
    """Before torch's own and the toolkit's."""
    return [
        os.path.join(os.environ[backend.SOURCES], "include"),
        os.path.join(os.environ[RUNTIME_SOURCES], "include"),
    ]


def libraries_of(toolkit: str) -> str:
    return os.path.join(toolkit, "lib64")


def load(toolkit: str) -> ctypes.CDLL:
    """The runtime, loaded for all that come after it."""
    return [
        ctypes.CDLL(os.path.join(libraries_of(toolkit), name), mode=ctypes.RTLD_GLOBAL)
        for name in (_RUNTIME, _TORCH_CUDA)
    ][0]


def _headers_of(nvcc: str) -> str:
    """The toolkit's headers; nvcc itself may be a script that calls another one."""
    said = subprocess.run([nvcc, "-dryrun", "-E", "-x", "cu", os.devnull], capture_output=True, text=True)
    top = re.search(r"^#\$ TOP=(.+)$", said.stderr, re.M)
    include = os.path.realpath(os.path.join(top.group(1).strip(), "include")) if top else ""
    if not os.path.exists(os.path.join(include, "cuda_runtime_api.h")):
        raise CannotCompile("%s has no headers of the CUDA runtime beside it" % nvcc)
    return include


def _make(folder: str, nvcc: str, capability: int, compiler: str) -> None:
    libraries, include = libraries_of(folder), _headers_of(nvcc)
    for name in ("bin", "lib64"):
        os.mkdir(os.path.join(folder, name))
    os.symlink(include, os.path.join(folder, "include"))
    script = os.path.join(folder, "bin", "nvcc")
    with open(script, "w") as file:
        file.write(_NVCC % (nvcc, capability, capability, capability))
    os.chmod(script, stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    runtime, torch = os.environ[RUNTIME_SOURCES], backend.torch_folder()
    compile_library(
        compiler,
        [files_below(os.path.join(runtime, room), ".cpp") for room in _ROOMS],
        ["-std=c++17", "-O1", "-I" + runtime, "-I" + include],
        ["-Wl,-soname," + _RUNTIME, "-lpthread", "-ldl"],
        os.path.join(libraries, _RUNTIME),
    )
    compile_library(
        compiler,
        [files_below(os.path.join(os.environ[backend.SOURCES], "cuda"), ".cpp")],
        [*("-I" + each for each in include_folders()), *backend.compile_options(torch), "-I" + include],
        [
            *("-Wl,-soname," + _TORCH_CUDA, "-Wl,-rpath,$ORIGIN", "-L" + libraries, "-l:" + _RUNTIME),
            *backend.link_options(torch),
        ],
        os.path.join(libraries, _TORCH_CUDA),
    )
    for name, target in _ALIASES.items():
        os.symlink(target, os.path.join(libraries, name))
