"""CUDA C++ to PTX and cubin, with the facts that ptxas prints and diagnostics mapped to the user's files."""

from __future__ import annotations

import os
import re

from .cache import cache_key
from .messages import nvcc_diagnostics, ptxas_diagnostics
from ..errors import WorkerError
from .ptxas_report import parse_report
from ..source_files import SourceFolder, inside, without_folder
from .tools import find_nvcc, find_ptxas, tool_version

SOURCE_SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".hh", ".inl", ".inc", ".cpp", ".cc", ".c")
_NO_HOST_COMPILER = re.compile(
    r"Failed to preprocess host compiler|Cannot find compiler|No supported (gcc/)?g\+\+"
)
_HARMLESS_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*")
_STAND_IN = "kernelwright-main.cu"
_FILE_NAMES = re.compile(r'^(\s*\.file\s+\d+\s+")((?:[^"\\]|\\.)*)(")', re.M)
_ARCHITECTURE = re.compile(r"sm_\d{2,3}[a-z]?")


def compile_cuda(params, running, cache):
    """params: files (path → text), main (path), architecture, nvcc (setting or empty), seconds. Gives
    (result, frames): result has compiled, diagnostics, entries (figures by entry), cached; the frames are
    the PTX and the cubin.
    """
    architecture, main = params["architecture"], params["main"]
    if not _ARCHITECTURE.fullmatch(architecture):
        raise WorkerError(
            "tool-failed", "architecture %r is not known: write sm_80 or the like" % architecture
        )
    files = {
        name: text for name, text in params["files"].items() if name.endswith(SOURCE_SUFFIXES) or name == main
    }
    if main not in files:
        raise WorkerError("file-not-found", "%s is not among the candidate's files" % main)
    nvcc = find_nvcc(params.get("nvcc", ""))
    ptxas = find_ptxas(nvcc)
    key = cache_key(
        ["cuda", 1, tool_version(nvcc), tool_version(ptxas), architecture, main, sorted(files.items())]
    )
    stored = cache.load(key)
    if stored is not None:
        result, frames = stored
        return dict(result, cached=True), frames
    with SourceFolder(files) as sources:
        result, frames = _compile(sources.path, main, architecture, (nvcc, ptxas, params["seconds"], running))
    # A failure that stands on no line may be the machine's (no memory, no room), and the next attempt may
    # succeed.
    if result["compiled"] or any(
        each["severity"] == "error" and each["line"] > 0 for each in result["diagnostics"]
    ):
        cache.store(key, result, frames)
    return dict(result, cached=False), frames


def _compile(folder, main, architecture, how):
    nvcc, _, seconds, running = how
    ptx_path = os.path.join(folder, "kernelwright-module.ptx")
    inside(folder, main)
    command = [
        nvcc,
        "-ptx",
        "-lineinfo",
        "-arch=" + architecture,
        "-I.",
        "-o",
        ptx_path,
        _named_harmlessly(folder, main),
    ]
    status, output, errors = running.run(command, folder, seconds)
    output, errors = (text.replace(_STAND_IN, main) for text in (output, errors))
    if status != 0 and _NO_HOST_COMPILER.search(output + errors):
        raise WorkerError(
            "tool-missing",
            "nvcc found no host C++ compiler, whose preprocessor it needs",
            "apt-get install g++",
        )
    diagnostics = nvcc_diagnostics(output + errors, folder, main)
    if status != 0 or not os.path.exists(ptx_path):
        return _failed(diagnostics, main, "nvcc", without_folder(output + errors, folder), status)
    with open(ptx_path, encoding="utf-8") as file:
        ptx = without_folder(file.read(), folder)
    return assemble(folder, ptx, (main, architecture, diagnostics), how)


def _named_harmlessly(folder, main):
    """The file to compile. nvcc hands its name to a shell, so a name that is more than letters and digits is
    never given to it: a file with a plain name includes the one that is meant.
    """
    if _HARMLESS_NAME.fullmatch(main):
        return main
    if '"' in main or "\n" in main:
        raise WorkerError(
            "tool-failed",
            "%r cannot be compiled: a source file's name may hold no quotes and no line breaks" % main,
        )
    with open(os.path.join(folder, _STAND_IN), "w", encoding="utf-8") as file:
        file.write('#include "%s"\n' % main)
    return _STAND_IN


def _unescaped(match):
    """A name as it is on disk: PTX writes bytes beyond ASCII as octal numbers."""
    name = re.sub(
        rb"\\([0-7]{3})",
        lambda digits: bytes([int(digits.group(1), 8) & 255]),
        match.group(2).encode("utf-8"),
    )
    return match.group(1) + name.decode("utf-8", "replace") + match.group(3)


def assemble(folder, ptx, about, how):
    """Runs ptxas over PTX text: (result, [ptx, cubin])."""
    main, architecture, diagnostics = about
    _, ptxas, seconds, running = how
    ptx_path, cubin_path = (
        os.path.join(folder, "kernelwright-module.ptx"),
        os.path.join(folder, "kernelwright-module.cubin"),
    )
    with open(ptx_path, "w", encoding="utf-8") as file:
        file.write(ptx)
    # The assembler takes the escaped form alone.
    ptx = _FILE_NAMES.sub(_unescaped, ptx)
    command = [ptxas, "-v", "-lineinfo", "-arch=" + architecture, ptx_path, "-o", cubin_path]
    status, output, errors = running.run(command, folder, seconds)
    diagnostics = diagnostics + ptxas_diagnostics(output + errors, ptx, main)
    if status != 0 or not os.path.exists(cubin_path):
        return _failed(diagnostics, main, "ptxas", without_folder(output + errors, folder), status)
    with open(cubin_path, "rb") as file:
        cubin = file.read()
    result = {"compiled": True, "diagnostics": diagnostics, "entries": parse_report(output + errors)}
    return result, [ptx.encode("utf-8"), cubin]


def _failed(diagnostics, main, tool, text, status):
    if not any(each["severity"] == "error" for each in diagnostics):
        told = (
            text.strip().splitlines()[-1]
            if text.strip()
            else "it ended with status %d and no message" % status
        )
        diagnostics = diagnostics + [
            {"severity": "error", "file": main, "line": 0, "column": 0, "message": told, "source": tool}
        ]
    return {"compiled": False, "diagnostics": diagnostics, "entries": []}, []


def assemble_ptx(params, frames, running, cache):
    """The figures of PTX that another compiler made (Triton). params: main, architecture, seconds; one frame,
    the PTX.
    """
    ptxas = find_ptxas()
    architecture, main = params["architecture"], params["main"]
    ptx = bytes(frames[0]).decode("utf-8")
    named = re.search(r"^\.target\s+(sm_\d+[a-z]?)", ptx, re.M)
    key = cache_key(["ptx", 1, tool_version(ptxas), architecture, main, ptx])
    stored = cache.load(key)
    if stored is not None:
        result, artefacts = stored
        return dict(result, cached=True), artefacts
    with SourceFolder({}) as sources:
        about = (main, named.group(1) if named else architecture, [])
        result, artefacts = assemble(sources.path, ptx, about, ("", ptxas, params["seconds"], running))
    cache.store(key, result, artefacts)
    return dict(result, cached=False), artefacts
