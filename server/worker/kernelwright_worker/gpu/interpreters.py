"""Which Python of this machine has torch for CUDA, and Triton."""

from __future__ import annotations

import json
import os
import subprocess
import sys

#: Beside torch nothing is imported: that would take seconds.
_QUESTION = """
import importlib.metadata as metadata, importlib.util as util, json, os, runpy, sys
said = {"python": "%d.%d.%d" % sys.version_info[:3], "program": sys.executable}
for name in ("torch", "triton"):
    try:
        found = util.find_spec(name)
        said[name] = metadata.version(name) if found else ""
    except Exception:
        said[name] = "unknown" if found else ""
    if name == "torch" and found and found.origin:
        version = os.path.join(os.path.dirname(found.origin), "version.py")
        said["cuda"] = runpy.run_path(version).get("cuda") or "" if os.path.isfile(version) else ""
print(json.dumps(said))
"""
_ANSWER_SECONDS = 60


def first_usable(named: list[str], usual: list[str]) -> dict[str, object]:
    """`program`: the path of the first interpreter that can run Triton kernels on a GPU, with its `torch`, `cuda`,
    `triton` and `python`; or only `lacking`: for each that was looked at what it lacks. `named`: what the user named;
    where it is not empty no other is looked at. `usual`: others, besides this one.
    """
    lacking = []
    for program in named or [*usual, sys.executable, "python3"]:
        told = _asked(program)
        missing = _missing(told)
        if not missing:
            return told
        if told != {} or program in named:
            sentence = "%s: %s" % (told.get("program", program), missing)
            lacking += [] if sentence in lacking else [sentence]
    return {"lacking": lacking}


def _missing(told: dict[str, str]) -> str:
    if not told:
        return "it is no Python that runs"
    absent = [name for name in ("torch", "triton") if not told.get(name)]
    if absent:
        return "no %s" % " and no ".join(absent)
    return "" if told.get("cuda") else "its torch %s is built without CUDA" % told["torch"]


def _asked(program: str) -> dict[str, str]:
    """What an interpreter says of itself; nothing where there is none."""
    # In a folder of no project: Python would import its modules.
    folder = os.path.dirname(os.path.realpath(__file__))
    try:
        done = subprocess.run(
            [program, "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_ANSWER_SECONDS,
            check=False,
            cwd=os.path.dirname(os.path.dirname(folder)),
        )
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        told = json.loads(lines[-1]) if done.returncode == 0 and lines else {}
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return {}
    return {str(name): str(value) for name, value in told.items()}
