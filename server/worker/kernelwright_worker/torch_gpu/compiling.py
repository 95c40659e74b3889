"""Compiles shared libraries of C++ into the product's cache, once for each state of their sources."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator

#: The variable that holds the product's cache folder.
CACHE = "KERNELWRIGHT_CACHE"
#: The variable that holds a folder, in which a file says that something is made for the cache.
PREPARING = "KERNELWRIGHT_PREPARING"

_COMPILERS_AT_ONCE = 2
_SECONDS = 600


class CannotCompile(Exception):
    """What the compiler said, in a few lines."""


def find_compiler() -> str | None:
    """Path of the C++ compiler: CXX, or the first that is found; None without one."""
    named = os.environ.get("CXX")
    return next(filter(None, map(shutil.which, [named] if named else ["g++", "c++", "clang++"])), None)


def files_below(folder: str, *endings: str) -> list:
    """Paths of the files with these endings, in one order."""
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.join(place, name) for name in names if name.endswith(endings)]
    return sorted(found)


def cached(
    name: str, depends: object, files: list[str], make: Callable[[str], None] | None, note: str
) -> str | None:
    """A folder of the cache that `make` fills, once for each state of `files` and of what else it `depends`
    on. `make` is given an empty folder; `note` is told to the user before. Without `make`: the folder when
    it is there, else None.
    """
    digest = hashlib.sha256(repr(depends).encode())
    for path in files:
        with open(path, "rb") as file:
            digest.update(os.path.basename(path).encode() + file.read())
    parent = os.path.join(os.environ[CACHE], name)
    folder = os.path.join(parent, digest.hexdigest()[:32])
    if os.path.exists(folder) or make is None:
        return folder if os.path.exists(folder) else None
    os.makedirs(parent, exist_ok=True)
    with _preparing(), open(os.path.join(parent, "lock"), "w") as lock:
        # Of programs that start at the same time one compiles.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(folder):
            sys.stderr.write("kernelwright: %s\n" % note)
            sys.stderr.flush()
            building = tempfile.mkdtemp(dir=parent, prefix="new-")
            try:
                make(building)
                os.rename(building, folder)
            finally:
                shutil.rmtree(building, ignore_errors=True)
    return folder


@contextlib.contextmanager
def _preparing() -> Iterator[None]:
    """Says meanwhile that the program waits for the product and does not work: see run-over-device.ts."""
    folder = os.environ.get(PREPARING)
    if folder is None:
        yield
        return
    descriptor, path = tempfile.mkstemp(dir=folder)
    os.close(descriptor)
    try:
        yield
    finally:
        os.remove(path)


def compile_library(
    compiler: str, texts: list[list[str]], options: list[str], link: list[str], library: str
) -> None:
    """Compiles the sources and links them; those of one list are compiled as one text, which reads the headers
    that they share once. Raises CannotCompile.
    """
    objects = ["%s.%d.o" % (library, number) for number in range(len(texts))]
    waiting, failures = list(zip(texts, objects)), []

    def work() -> None:
        while waiting and not failures:
            sources, target = waiting.pop()
            text = "".join('#include "%s"\n' % each for each in sources)
            command = [compiler, "-fPIC", *options, "-x", "c++", "-c", "-", "-o", target]
            problem = _run(command, text)
            if problem:
                failures.append(problem)

    threads = [threading.Thread(target=work) for _ in range(_COMPILERS_AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not failures:
        failures = [_run([compiler, "-shared", "-o", library, *objects, *link])]
    if failures[0]:
        raise CannotCompile(failures[0])
    for each in objects:
        os.remove(each)


def _run(command: list[str], given: str = "") -> str:
    """What went wrong, in words; empty when nothing did. `given`: what the command reads."""
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, errors="replace", timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return "it took longer than %d s" % _SECONDS
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if re.search(r"error|undefined", line)]
    return "\n".join(errors[:5]) or "exit status %d" % done.returncode
