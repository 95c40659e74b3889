"""Compiled artefacts on disk, keyed by everything that decides them. Written atomically and only by the build
role.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time

KEPT_SECONDS = 14 * 24 * 3600


def cache_folder() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "kernelwright", "compile")


def cache_key(parts: list) -> str:
    """sha256 over a JSON value: tool versions, flags, architecture, names and contents of all files."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8")).hexdigest()


class CompileCache:
    """Each entry is a folder with result.json and one file for each artefact. A damaged entry counts as none."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def load(self, key: str) -> tuple[dict, list[bytes]] | None:
        """(result, artefacts) or None."""
        entry = self._entry(key)
        try:
            with open(os.path.join(entry, "result.json"), encoding="utf-8") as file:
                stored = json.load(file)
            artefacts = []
            for number, digest in enumerate(stored["digests"]):
                with open(os.path.join(entry, "artefact-%d" % number), "rb") as file:
                    artefacts.append(file.read())
                if hashlib.sha256(artefacts[-1]).hexdigest() != digest:
                    return None
            os.utime(entry)
            return stored["result"], artefacts
        except (OSError, ValueError, KeyError, TypeError):
            # No entry, or one that a crash or a full disk damaged: it is compiled anew.
            return None

    def store(self, key: str, result: dict, artefacts: list[bytes]) -> None:
        """Keeps an entry; a disk that cannot take it costs only the next compilation."""
        entry = self._entry(key)
        try:
            os.makedirs(os.path.dirname(entry), mode=0o700, exist_ok=True)
            building = tempfile.mkdtemp(prefix="new-", dir=self._folder)
        except OSError:
            return
        try:
            for number, artefact in enumerate(artefacts):
                with open(os.path.join(building, "artefact-%d" % number), "wb") as file:
                    file.write(artefact)
            digests = [hashlib.sha256(artefact).hexdigest() for artefact in artefacts]
            with open(os.path.join(building, "result.json"), "w", encoding="utf-8") as file:
                json.dump({"result": result, "digests": digests}, file)
            if os.path.isdir(entry):
                shutil.rmtree(entry, ignore_errors=True)
            os.rename(building, entry)
        except OSError:
            shutil.rmtree(building, ignore_errors=True)

    def prune(self) -> None:
        """Removes entries that nobody used for two weeks, and what a crash left half written."""
        oldest = time.time() - KEPT_SECONDS
        for group in _children(self._folder):
            entries = [group] if os.path.basename(group).startswith("new-") else _children(group)
            for entry in entries:
                try:
                    if os.stat(entry).st_mtime < oldest:
                        shutil.rmtree(entry, ignore_errors=True)
                except OSError:
                    # Another worker removed it first.
                    continue

    def _entry(self, key: str) -> str:
        return os.path.join(self._folder, key[:2], key)


def _children(folder: str) -> list:
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        return []
