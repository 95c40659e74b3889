"""Messages of nvcc, its host preprocessor and ptxas as diagnostics: severity, file, line, column, message,
source.
"""

from __future__ import annotations

import re

_FRONT_END = re.compile(
    r"^(?P<file>\S.*?)\((?P<line>\d+)\): (?:(?P<fatal>catastrophic) )?(?P<severity>error|warning|remark)(?: #[\w-]+)?: (?P<message>.*)$"
)
_PREPROCESSOR = re.compile(
    r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?(?P<severity>error|warning): (?P<message>.*)$"
)
_PTXAS_LINE = re.compile(
    r"^ptxas (?P<file>.+), line (?P<line>\d+); (?P<severity>error|warning|fatal)\s*: (?P<message>.*)$"
)
_PTXAS = re.compile(r"^ptxas (?P<severity>error|warning|fatal)\s*: (?P<message>.*)$")
_NVCC = re.compile(r"^nvcc (?P<severity>error|warning|fatal)\s*: (?P<message>.*)$")
_SEVERITIES = {"error": "error", "fatal": "error", "warning": "warning", "remark": "information"}
_ENTRY_NAME = re.compile(r"(?:Entry function|function) '([^']+)'")


def nvcc_diagnostics(text: str, folder: str, main_file: str) -> list[dict]:
    """Diagnostics in nvcc's output. The lines that explain a message further are added to it, caret and
    source excerpt aside.
    """
    found = []
    for line in text.splitlines():
        match = _FRONT_END.match(line) or _PREPROCESSOR.match(line)
        # The assembler that nvcc runs names lines of a PTX that is gone.
        general = None if match else (_NVCC.match(line) or _PTXAS.match(line) or _PTXAS_LINE.match(line))
        if match:
            groups = match.groupdict()
            found.append(
                _diagnostic(
                    groups["severity"],
                    _relative(groups["file"], folder),
                    int(groups["line"]),
                    int(groups.get("column") or 0),
                    groups["message"],
                    "nvcc",
                )
            )
        elif general:
            found.append(
                _diagnostic(
                    general.group("severity"),
                    main_file,
                    0,
                    0,
                    general.group("message"),
                    line.split(" ", 1)[0],
                )
            )
        elif found and line.startswith("          ") and not _is_excerpt(line):
            found[-1]["message"] += " " + line.strip()
    return found


def _is_excerpt(line: str) -> bool:
    return set(line.strip()) <= {"^", "~", "|"}


def ptxas_diagnostics(text: str, ptx: str, main_file: str) -> list[dict]:
    """Diagnostics of the assembler; a line of the PTX is taken back to the line of the source that it was
    made from.
    """
    found = []
    for line in text.splitlines():
        match = _PTXAS_LINE.match(line)
        if match:
            file, source_line = source_position(ptx, int(match.group("line")), main_file)
            found.append(
                _diagnostic(match.group("severity"), file, source_line, 0, match.group("message"), "ptxas")
            )
            continue
        match = _PTXAS.match(line)
        if match:
            entry = _ENTRY_NAME.search(match.group("message"))
            file, source_line = (
                source_position(ptx, entry_line(ptx, entry.group(1)), main_file) if entry else (main_file, 0)
            )
            found.append(
                _diagnostic(match.group("severity"), file, source_line, 0, match.group("message"), "ptxas")
            )
    return found


def entry_line(ptx: str, name: str) -> int:
    """One-based PTX line of the first source position inside an entry; 0 when there is none."""
    within = False
    for number, line in enumerate(ptx.splitlines(), 1):
        if ".entry " in line and name in line:
            within = True
        elif within and line.lstrip().startswith(".loc"):
            return number
    return 0


_LOCATION = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"', re.M)


def source_position(ptx: str, ptx_line: int, main_file: str) -> tuple[str, int]:
    """(file, line) of the last .loc at or before a line of the PTX; the main file and 0 when there is none."""
    files = dict(_FILE.findall(ptx))
    lines = ptx.splitlines()
    for number in range(min(ptx_line, len(lines)) - 1, -1, -1):
        match = _LOCATION.match(lines[number])
        if match:
            return files.get(match.group(1), main_file), int(match.group(2))
        if ".entry " in lines[number]:
            break
    return main_file, 0


def _relative(file: str, folder: str) -> str:
    file = file[len(folder) + 1 :] if file.startswith(folder + "/") else file
    return file[2:] if file.startswith("./") else file


def _diagnostic(severity: str, file: str, line: int, column: int, message: str, source: str) -> dict:
    return {
        "severity": _SEVERITIES[severity],
        "file": file,
        "line": line,
        "column": column,
        "message": message.strip(),
        "source": source,
    }
