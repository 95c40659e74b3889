"""Finding the compilers and asking them who they are."""

from __future__ import annotations

import glob
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys

from ..errors import WorkerError

REMEDY_NVCC = (
    "%s -m pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime nvidia-cuda-cccl"
    % sys.executable
)


def _executable(path: str | None) -> str | None:
    return path if path and os.path.isfile(path) and os.access(path, os.X_OK) else None


def _wheel_programs(name: str) -> list:
    """Programs of the NVIDIA wheels (nvidia-cuda-nvcc and its older names) in this interpreter's packages."""
    found = []
    for folder in sys.path:
        found += sorted(glob.glob(os.path.join(folder, "nvidia", "*", "bin", name)), reverse=True)
    return found


def find_nvcc(setting: str = "") -> str:
    """Path of nvcc: the setting, KERNELWRIGHT_NVCC, PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda, then the
    NVIDIA wheels. A setting that names no program is an error rather than silently another compiler.
    Raises tool-missing.
    """
    for named, where in (
        (setting, "the setting kernelwright.nvcc"),
        (os.environ.get("KERNELWRIGHT_NVCC", ""), "KERNELWRIGHT_NVCC"),
    ):
        if named:
            found = _executable(named) or shutil.which(named)
            if found:
                return found
            raise WorkerError(
                "tool-missing",
                "nvcc is not at %s, which %s names; Triton kernels still work without it" % (named, where),
                "which -a nvcc",
            )
    homes = [
        os.environ.get("CUDA_HOME"),
        os.environ.get("CUDA_PATH"),
        "/usr/local/cuda",
        *sorted(glob.glob("/usr/local/cuda-*"), reverse=True),
        "/opt/cuda",
    ]
    choices = [
        shutil.which("nvcc"),
        *(os.path.join(home, "bin", "nvcc") for home in homes if home),
        *_wheel_programs("nvcc"),
    ]
    for choice in choices:
        if _executable(choice):
            return choice
    raise WorkerError(
        "tool-missing",
        "the CUDA compiler nvcc was not found; Triton kernels still work without it",
        REMEDY_NVCC,
    )


def find_ptxas(nvcc: str = "") -> str:
    """Path of ptxas: beside nvcc, on PATH, in the NVIDIA wheels, in Triton's own wheel. Raises tool-missing."""
    choices = [os.path.join(os.path.dirname(os.path.realpath(nvcc)), "ptxas")] if nvcc else []
    choices += [os.environ.get("TRITON_PTXAS_PATH"), shutil.which("ptxas"), *_wheel_programs("ptxas")]
    triton = importlib.util.find_spec("triton")
    if triton is not None and triton.submodule_search_locations:
        choices.append(
            os.path.join(list(triton.submodule_search_locations)[0], "backends", "nvidia", "bin", "ptxas")
        )
    for choice in choices:
        if _executable(choice):
            return choice
    raise WorkerError("tool-missing", "the assembler ptxas was not found", REMEDY_NVCC)


_versions = {}


def tool_version(path: str) -> str:
    """The release line of nvcc or ptxas, for instance `13.0, V13.0.88`. Empty when the program does not say."""
    if path not in _versions:
        try:
            text = subprocess.run(
                [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
            ).stdout.decode("utf-8", "replace")
        except (OSError, subprocess.TimeoutExpired):
            text = ""
        match = re.search(r"release (.+)", text)
        _versions[path] = match.group(1).strip() if match else ""
    return _versions[path]


def package_version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def graphics_processors() -> list[dict[str, str]]:
    """Names and compute capabilities that nvidia-smi lists; empty without a driver."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    query = [program, "--query-gpu=name,compute_cap", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    rows = done.stdout.decode("utf-8", "replace").splitlines() if done.returncode == 0 else []
    return [
        {"name": name.strip(), "capability": capability.strip()}
        for name, _, capability in (row.partition(",") for row in rows)
        if capability
    ]


def examine(setting: str = "") -> dict:
    """Everything that is there, for the doctor. Never raises: what is missing has an empty version and a
    reason.
    """
    report = {
        "python": {"path": sys.executable},
        "packages": {name: package_version(name) for name in ("numpy", "torch", "triton")},
        "gpus": graphics_processors(),
    }
    for name, find in (("nvcc", lambda: find_nvcc(setting)), ("ptxas", find_ptxas)):
        try:
            path = find()
            report[name] = {"path": path, "version": tool_version(path), "problem": "", "remedy": ""}
        except WorkerError as error:
            report[name] = {"path": "", "version": "", "problem": str(error), "remedy": error.remedy}
    return report
