"""Compiles and loads what makes torch's tensors on `cuda` (server/torch). It must be there before torch asks
for a GPU, so nothing here imports torch.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.util
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import threading

#: The variables that hold the folder of the sources and the product's cache folder.
SOURCES = "KERNELWRIGHT_TORCH_SOURCES"
CACHE = "KERNELWRIGHT_CACHE"

_LIBRARY = "libkernelwright_torch.so"
_OPTIONS = ("-std=c++20", "-O1", "-fPIC", "-DAT_PER_OPERATOR_HEADERS")
_COMPILERS_AT_ONCE = 2
_SECONDS = 600


class Unavailable(Exception):
    """Why there are no tensors on `cuda`, and what the user can do."""


def load():
    """Gives torch a GPU. Returns the library; raises Unavailable. To be called before torch is imported."""
    torch = os.path.dirname(importlib.util.find_spec("torch").origin)
    version = runpy.run_path(os.path.join(torch, "version.py"))
    if version.get("cuda") or version.get("hip"):
        raise Unavailable(
            "this torch (%s) is built for a real GPU; the virtual one needs the build for the CPU: "
            "%s -m pip install torch --index-url https://download.pytorch.org/whl/cpu"
            % (version["__version__"], sys.executable)
        )
    library = _library(torch, version["__version__"])
    try:
        # torch's own libraries find each other by what this one brings into the process.
        ctypes.CDLL(os.path.join(torch, "lib", "libtorch_global_deps.so"), mode=ctypes.RTLD_GLOBAL)
        return _described(ctypes.CDLL(library))
    except OSError as error:
        raise Unavailable("%s cannot be loaded: %s" % (library, error)) from None


def _described(library):
    library.kernelwright_held_bytes.argtypes = (ctypes.c_bool,)
    library.kernelwright_held_bytes.restype = ctypes.c_uint64
    library.kernelwright_reset_most_held_bytes.restype = None
    return library


def compiler():
    """The C++ compiler: CXX, or the first that is found. Raises Unavailable."""
    named = os.environ.get("CXX")
    for name in [named] if named else ["g++", "c++", "clang++"]:
        found = shutil.which(name)
        if found:
            return found
    raise Unavailable(
        "there is no C++ compiler (%s). Install one: sudo apt-get install g++"
        % (named or "g++, c++ or clang++")
    )


def _library(torch, version):
    """Path of the library for this torch; compiled once for each version of it and of the sources."""
    sources = os.environ[SOURCES]
    names = sorted(os.listdir(sources))
    tool = compiler()
    digest = hashlib.sha256(repr((version, torch, tool, _OPTIONS)).encode())
    for name in names:
        with open(os.path.join(sources, name), "rb") as file:
            digest.update(name.encode() + file.read())
    cache = os.path.join(os.environ[CACHE], "torch")
    folder = os.path.join(cache, digest.hexdigest()[:32])
    library = os.path.join(folder, _LIBRARY)
    if os.path.exists(library):
        return library
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(cache, "lock"), "w") as lock:
        # Of programs that start at the same time one compiles.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(library):
            _make(tool, torch, [os.path.join(sources, name) for name in names], folder)
    return library


def _make(tool, torch, files, folder):
    sys.stderr.write("kernelwright: making torch's cuda device for the virtual GPU (half a minute, once)\n")
    sys.stderr.flush()
    building = tempfile.mkdtemp(dir=os.path.dirname(folder), prefix="new-")
    try:
        _compile(tool, torch, [name for name in files if name.endswith(".cpp")], building)
        os.rename(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _compile(tool, torch, sources, folder):
    include = os.path.join(torch, "include")
    folders = ["-I" + include, "-I" + os.path.join(include, "torch", "csrc", "api", "include")]
    waiting, failures = list(sources), []
    objects = [os.path.join(folder, os.path.basename(source) + ".o") for source in sources]

    def work():
        while waiting and not failures:
            source = waiting.pop()
            target = os.path.join(folder, os.path.basename(source) + ".o")
            problem = _run([tool, *_OPTIONS, *folders, "-c", source, "-o", target])
            if problem:
                failures.append(problem)

    threads = [threading.Thread(target=work) for _ in range(_COMPILERS_AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    libraries = os.path.join(torch, "lib")
    link = ["-L" + libraries, "-ltorch_cpu", "-lc10", "-Wl,-rpath," + libraries]
    if not failures:
        failures = [_run([tool, "-shared", "-o", os.path.join(folder, _LIBRARY), *objects, *link])]
    if failures[0]:
        raise Unavailable(
            "torch's cuda device could not be compiled by %s (GCC 11 or newer and torch 2.13 are what it is "
            "made for):\n%s" % (tool, failures[0])
        )
    for each in objects:
        os.remove(each)


def _run(command):
    """What went wrong, in words; empty when nothing did."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return "it took longer than %d s" % _SECONDS
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if re.search(r"error|undefined", line)]
    return "\n".join(errors[:5]) or "exit status %d" % done.returncode
