"""The host code of a CUDA file as an executable that is linked with the virtual GPU's runtime. Its device code
is of no interest: the device is given its own.
"""

from __future__ import annotations

import os

from ..errors import WorkerError
from ..source_files import SourceFolder, inside, without_folder
from .build import Build
from .cache import CompileCache, cache_key
from .messages import nvcc_diagnostics
from .nvcc import OTHER_SUFFIXES, Compilers, failed
from .running import Running
from .tools import find_nvcc, tool_version

PROGRAM = "kernelwright-program"
#: What debug information calls the folder of the sources, which is gone when it is read.
SHOWN_FOLDER = "/kernelwright"
#: Host code counts its basic blocks as it passes them, in the runtime's `__sanitizer_cov_trace_pc`.
COUNTED = ("-Xcompiler", "-fsanitize-coverage=trace-pc")


def compile_host(params: dict, running: Running, cache: CompileCache) -> tuple[dict, list[bytes]]:
    """params: files, main, build, nvcc, seconds, withoutWalls as for `compile-cuda`; library: the runtime on
    this machine, or empty for NVIDIA's own, for which device code is compiled for `architecture`; archives: to
    be linked before it; headers: a folder of headers behind those of the toolkit. Gives (result, frames):
    result has compiled, diagnostics, cached; the frame is the executable.
    """
    files, main, library = params["files"], params["main"], params["library"]
    files = {name: text for name, text in files.items() if name == main or not name.endswith(OTHER_SUFFIXES)}
    if library and not os.path.isfile(library):
        raise WorkerError("tool-missing", "the virtual GPU's runtime is not at %s" % library)
    headers, archives = params["headers"], params["archives"]
    nvcc = find_nvcc(params.get("nvcc", ""))
    build = Build(params.get("build", {}))
    linked = _linked(params)
    key = cache_key(["host", 5, tool_version(nvcc), linked, main, sorted(files.items()), build.identity()])
    stored = cache.load(key)
    if stored is not None:
        result, frames = stored
        return dict(result, cached=True), frames
    with SourceFolder(files) as sources:
        build.folders += [
            path for path in (headers, *(os.path.dirname(each) for each in (library, *archives))) if path
        ]
        compilers = Compilers(nvcc, "", running, params, build)
        result, frames = _build(sources.path, main, linked, compilers, bool(library))
    if result["compiled"]:
        cache.store(key, result, frames)
    return dict(result, cached=False), frames


def _linked(params: dict) -> tuple[list[str], list[str]]:
    """What the compiler is told before its sources, and after them."""
    library = params["library"]
    if not library:
        return ["-arch=%s" % params["architecture"], "-lineinfo", "-cudart", "static"], ["-ldl"]
    virtual = params["architecture"]
    ours = ["-isystem", params["headers"], "-arch=" + virtual, "-code=" + virtual, "-cudart", "none"]
    return ours, [*params["archives"], library, "-lpthread", "-ldl"]


def _build(
    folder: str, main: str, linked: tuple[list[str], list[str]], compilers: Compilers, is_counted: bool
) -> tuple[dict, list[bytes]]:
    program = os.path.join(folder, PROGRAM)
    inside(folder, main)

    def run(*further: str) -> tuple[int, str, str]:
        command = [
            compilers.nvcc,
            *("-O1", "-Xcompiler", "-g1,-fdebug-prefix-map=%s=%s" % (folder, SHOWN_FOLDER), *further),
            *compilers.build.arguments(folder),
            *("-I.", *linked[0], "-o", program, main, *linked[1]),
        ]
        return compilers.run(command, folder)

    status, output, errors = run(*(COUNTED if is_counted else ()))
    if status != 0 and is_counted and COUNTED[-1] in output + errors:
        # A compiler that cannot count leaves host code without a price.
        status, output, errors = run()
    diagnostics = nvcc_diagnostics(output + errors, folder, main)
    if status != 0 or not os.path.exists(program):
        said = without_folder(output + errors, folder)
        result, _ = failed(diagnostics, main, "nvcc", (said, status))
        return dict(result, said=said), []
    with open(program, "rb") as file:
        return {"compiled": True, "diagnostics": diagnostics, "entries": []}, [file.read()]
