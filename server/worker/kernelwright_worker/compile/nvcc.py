"""CUDA C++ to PTX and cubin, with the facts that ptxas prints and diagnostics mapped to the user's files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable

from ..errors import WorkerError
from ..source_files import SourceFolder, inside, without_folder
from ..triton_versions.assembly_lines import without_assembly_lines
from ..walls.needed import compiler_folders, view_of
from .build import Build
from .cache import CompileCache, cache_key
from .messages import nvcc_diagnostics, ptxas_diagnostics
from .ptxas_report import parse_report
from .running import Running, start
from .tools import find_nvcc, find_ptxas, tool_version
from .waiting import Failed
from .warm import Source, WarmCompilers
from .warm_commands import MODULE

OTHER_SUFFIXES = (".py", ".json", ".md")
_NO_HOST_COMPILER = re.compile(
    r"Failed to preprocess host compiler|Cannot find compiler|No supported (gcc/)?g\+\+"
)
#: What nvcc says of kernels that launch kernels, and what names the runtime's functions that these call.
_LAUNCHES_KERNELS = re.compile(r"requires separate compilation mode")
_DEVICE_RUNTIME = "__cudaCDP2"
_NOT_FOUND = re.compile(r": No such file or directory|cannot open source file")
_HARMLESS_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*")
_STAND_IN = "kernelwright-main.cu"
_CUBIN = "kernelwright-module.cubin"
_FILE_NAMES = re.compile(r'^(\s*\.file\s+\d+\s+")((?:[^"\\]|\\.)*)(")', re.M)
#: The first architecture with instructions of its own.
_FIRST_WITH_OWN = 90
_ARCHITECTURE = re.compile(r"sm_\d{2,3}[a-z]?")
#: Runs words in a folder: (exit status, standard output, standard error).
Run = Callable[[list[str], str], tuple[int, str, str]]


class Compilers:
    """nvcc and ptxas, and how they are run: `seconds` each, behind walls unless `walled` is false. `nvcc` is
    empty where PTX is only assembled, `ptxas` where no machine code is made.
    """

    def __init__(
        self, nvcc: str, ptxas: str, running: Running, params: dict, build: Build | None = None
    ) -> None:
        self.nvcc = nvcc
        self.ptxas = ptxas
        self._running = running
        self._seconds = params["seconds"]
        self._walled = not params.get("withoutWalls", False)
        self.build = build if build is not None else Build({})
        self._folders = [*compiler_folders(nvcc, ptxas), *self.build.folders]

    def run(self, command: list[str], folder: str) -> tuple[int, str, str]:
        """Runs one of the two in the candidate's folder: (exit status, standard output, standard error)."""
        return self._running.run(command, view_of(self._folders, folder), self._seconds, self._walled)

    def start(self, command: list[str], folder: str) -> subprocess.Popen:
        """Starts a program that goes on when the request has ended."""
        return start(command, view_of(self._folders, folder), self._seconds, self._walled)

    def assembling(self, architecture: str, folder: str) -> list[str]:
        """The assembler's words for the PTX in a folder."""
        ptx, cubin = os.path.join(folder, MODULE), os.path.join(folder, _CUBIN)
        words = [self.ptxas, "-v", "-lineinfo", "-arch=" + architecture, ptx, "-o", cubin]
        return words + self.build.assembler_words()


def compile_cuda(
    params: dict, running: Running, cache: CompileCache, warm: WarmCompilers
) -> tuple[dict, list[bytes]]:
    """params: files (path → text), main (path), build (see Build), architecture, nvcc (setting or empty),
    seconds, withoutWalls (true: the files are the user's own, or the user agreed). Gives (result, frames):
    result has compiled, diagnostics, entries (figures by entry), cached; the frames are the PTX and the
    cubin. What stands in an architecture's own code alone (`wgmma` of sm_90a) is compiled for that.
    """
    architecture = params["architecture"]
    result, frames = _compile_for(params, running, cache, warm)
    if _asks_for_own_code(result, architecture):
        return _compile_for(dict(params, architecture=architecture + "a"), running, cache, warm)
    return result, frames


def _compile_for(
    params: dict, running: Running, cache: CompileCache, warm: WarmCompilers
) -> tuple[dict, list[bytes]]:
    architecture, main = params["architecture"], params["main"]
    if not _ARCHITECTURE.fullmatch(architecture):
        raise WorkerError(
            "tool-failed", "architecture %r is not known: write sm_80 or the like" % architecture
        )
    files = {
        name: text
        for name, text in params["files"].items()
        if name == main or not name.endswith(OTHER_SUFFIXES)
    }
    if main not in files:
        raise WorkerError("file-not-found", "%s is not among the candidate's files" % main)
    nvcc = find_nvcc(params.get("nvcc", ""))
    ptxas = find_ptxas(nvcc)
    build = Build(params.get("build", {}))
    kind = ["cuda", 3, [tool_version(nvcc), tool_version(ptxas)], architecture, main, build.identity()]
    key = cache_key([*kind, sorted(files.items())])
    # Not the request's own: what waits for the next edit goes on when this request has ended.
    waiting = Compilers(nvcc, ptxas, Running(), params, build)
    walled = not params.get("withoutWalls", False)
    kind_key = cache_key([*kind, sorted(files), walled])
    source = Source(kind_key, (files, main), _words(main, architecture, waiting), waiting)
    stored = cache.load(key)
    if stored is not None:
        warm.asked(source.key)
        result, frames = stored
        return dict(result, cached=True), frames
    about = (main, architecture)
    made = _from_waiting(source, about, warm)
    if made is None:
        made = _compile(source, about, Compilers(nvcc, ptxas, running, params, build), warm)
    result, frames = made
    if result["compiled"] or _is_lasting(result["diagnostics"]):
        cache.store(key, result, frames)
    return dict(result, cached=False), frames


def _asks_for_own_code(result: dict, architecture: str) -> bool:
    """Whether all that is wrong are instructions that stand in an architecture's own code alone (`sm_90a`)."""
    other = "not supported on .target '%s'" % architecture
    said = [each["message"] for each in result["diagnostics"] if each["severity"] == "error"]
    is_plain = architecture[-1].isdigit() and int(architecture[3:]) >= _FIRST_WITH_OWN
    return is_plain and any(other in each for each in said)


def _words(main: str, architecture: str, compilers: Compilers) -> tuple:
    """nvcc's words and the assembler's, each for a folder."""

    def command(folder: str) -> list[str]:
        inside(folder, main)
        return [
            compilers.nvcc,
            "-ptx",
            "-lineinfo",
            "-arch=" + architecture,
            *compilers.build.arguments(folder),
            "-I.",
            "-o",
            os.path.join(folder, MODULE),
            # A header has no ending that nvcc knows.
            "-x",
            "cu",
            _named_harmlessly(folder, main, compilers.build.instantiation()),
        ]

    return command, lambda folder: compilers.assembling(architecture, folder)


def _from_waiting(
    source: Source, about: tuple[str, str], warm: WarmCompilers
) -> tuple[dict, list[bytes]] | None:
    """What a compiler that waits makes of the source; None where none does, or where it fails."""
    made = warm.compile(source)
    if made is None:
        return None
    compiler, ptx, said = made
    main, architecture = about
    try:
        diagnostics = nvcc_diagnostics(said.replace(_STAND_IN, main), compiler.folder, main)

        def run(*_: object) -> tuple[int, str, str]:
            return (*compiler.assemble(), "")

        return assemble(compiler.folder, ptx, (main, architecture, diagnostics), (source.compilers, run))
    except Failed:
        return None
    finally:
        compiler.close()


def _is_lasting(diagnostics: list[dict]) -> bool:
    """Whether a failure comes of what the cache's key names. One that stands on no line may be the machine's (no
    memory, no room), and a file that was not found may be there the next time.
    """
    errors = [each for each in diagnostics if each["severity"] == "error" and each["line"] > 0]
    return bool(errors) and not any(_NOT_FOUND.search(each["message"]) for each in errors)


def _compile(
    source: Source, about: tuple[str, str], compilers: Compilers, warm: WarmCompilers
) -> tuple[dict, list[bytes]]:
    main, architecture = about
    with SourceFolder(source.files) as sources:
        folder = sources.path
        ptx_path = os.path.join(folder, MODULE)
        status, output, errors = compilers.run(source.command(folder), folder)
        if status != 0 and _LAUNCHES_KERNELS.search(output + errors):
            status, output, errors = compilers.run([*source.command(folder), "-rdc=true"], folder)
        output, errors = (text.replace(_STAND_IN, main) for text in (output, errors))
        if status != 0 and _NO_HOST_COMPILER.search(output + errors):
            raise WorkerError(
                "tool-missing",
                "nvcc found no host C++ compiler, whose preprocessor it needs",
                "apt-get install g++",
            )
        diagnostics = nvcc_diagnostics(output + errors, folder, main)
        if status != 0 or not os.path.exists(ptx_path):
            return failed(diagnostics, main, "nvcc", (without_folder(output + errors, folder), status))
        with open(ptx_path, encoding="utf-8") as file:
            ptx = without_folder(file.read(), folder)
        if _DEVICE_RUNTIME not in ptx:
            warm.learn(source, ptx)
        return assemble(folder, ptx, (main, architecture, diagnostics), (compilers, compilers.run))


def _named_harmlessly(folder: str, main: str, behind: str) -> str:
    """The file to compile. nvcc hands its name to a shell, so a name that is more than letters and digits is
    never given to it: a file with a plain name includes the one that is meant, and `behind` follows it.
    """
    # What is included may say `#pragma once`; a file that is compiled itself is warned about it.
    if _HARMLESS_NAME.fullmatch(main) and main.endswith((".cu", ".cpp", ".cc")) and behind == "":
        return main
    if '"' in main or "\n" in main:
        raise WorkerError(
            "tool-failed",
            "%r cannot be compiled: a source file's name may hold no quotes and no line breaks" % main,
        )
    with open(os.path.join(folder, _STAND_IN), "w", encoding="utf-8") as file:
        file.write('#include "%s"\n%s' % (main, behind))
    return _STAND_IN


def _unescaped(match: re.Match[str]) -> str:
    """A name as it is on disk: PTX writes bytes beyond ASCII as octal numbers."""
    name = re.sub(
        rb"\\([0-7]{3})",
        lambda digits: bytes([int(digits.group(1), 8) & 255]),
        match.group(2).encode("utf-8"),
    )
    return match.group(1) + name.decode("utf-8", "replace") + match.group(3)


def assemble(
    folder: str, ptx: str, about: tuple[str, str, list[dict]], how: tuple[Compilers, Run]
) -> tuple[dict, list[bytes]]:
    """Runs ptxas over PTX text: (result, [ptx, cubin]). `about`: main file, architecture, earlier diagnostics;
    `how`: the compilers, and what runs them.
    """
    main, architecture, diagnostics = about
    compilers, run = how
    with open(os.path.join(folder, MODULE), "w", encoding="utf-8") as file:
        file.write(without_assembly_lines(ptx))
    # The assembler takes the escaped form alone.
    ptx = _FILE_NAMES.sub(_unescaped, ptx)
    # The runtime that kernels call to launch others is linked later.
    relocatable = ["-c"] if _DEVICE_RUNTIME in ptx else []
    status, output, errors = run([*compilers.assembling(architecture, folder), *relocatable], folder)
    diagnostics = diagnostics + ptxas_diagnostics(output + errors, ptx, main)
    cubin_path = os.path.join(folder, _CUBIN)
    if status != 0 or not os.path.exists(cubin_path):
        return failed(diagnostics, main, "ptxas", (without_folder(output + errors, folder), status))
    with open(cubin_path, "rb") as file:
        cubin = file.read()
    result = {"compiled": True, "diagnostics": diagnostics, "entries": parse_report(output + errors)}
    return result, [ptx.encode("utf-8"), cubin]


def failed(diagnostics: list[dict], main: str, tool: str, ended: tuple[str, int]) -> tuple[dict, list[bytes]]:
    """The answer for a compiler that failed; `ended`: what it said and its exit status."""
    text, status = ended
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


def assemble_ptx(
    params: dict, frames: list[bytes], running: Running, cache: CompileCache
) -> tuple[dict, list[bytes]]:
    """The figures of PTX that another compiler made (Triton). params: main, architecture, seconds,
    withoutWalls; one frame, the PTX.
    """
    ptxas = find_ptxas()
    architecture, main = params["architecture"], params["main"]
    ptx = bytes(frames[0]).decode("utf-8")
    named = re.search(r"^\.target\s+(sm_\d+[a-z]?)", ptx, re.M)
    key = cache_key(["ptx", 2, tool_version(ptxas), architecture, main, ptx])
    stored = cache.load(key)
    if stored is not None:
        result, artefacts = stored
        return dict(result, cached=True), artefacts
    with SourceFolder({}) as sources:
        about = (main, named.group(1) if named else architecture, [])
        compilers = Compilers("", ptxas, running, params)
        result, artefacts = assemble(sources.path, ptx, about, (compilers, compilers.run))
    cache.store(key, result, artefacts)
    return dict(result, cached=False), artefacts
