"""What a source is compiled with besides its own text, as the host found it (core/workload/build-settings.ts)."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sysconfig

from ..source_files import inside

#: What PyTorch compiles its extensions with.
_TORCH_WORDS = [
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
    "--expt-relaxed-constexpr",
]
_PRELUDE = "kernelwright-prelude.h"
_FRONT = "kernelwright-front"
#: Where the sources hold headers from outside (host/services/sources/device-sources.ts).
_OUTSIDE = "kernelwright-outside"


class Build:
    """params: words (for nvcc, harmless to a shell), prelude (text of a header that is included first),
    folders (absolute include folders, which become part of what the compiler may read), instances (of kernel
    templates, to be made besides those of the source), torch (`headers`: PyTorch's are searched; `stand-in`),
    headers (path → text, in front of the compiler's own).
    """

    def __init__(self, params: dict) -> None:
        self._words: list[str] = list(params.get("words", []))
        self._prelude: str = params.get("prelude", "")
        self._torch: list[str] = torch_folders() if params.get("torch") == "headers" else []
        if params.get("torch"):
            self._words = [*_TORCH_WORDS, *self._words]
        if params.get("torch") == "stand-in":
            self._words = ["-I" + _OUTSIDE, *self._words]
        self._outside: list[str] = list(params.get("folders", []))
        self.folders: list[str] = [*self._outside, *self._torch]
        self.instances: list[str] = list(params.get("instances", []))
        self._headers: dict[str, str] = dict(params.get("headers", {}))

    def identity(self) -> list:
        """Everything that decides what is made of a source."""
        stamp = _stamp(self._outside)
        return [self._words, self._prelude, self.instances, self._torch, stamp, sorted(self._headers.items())]

    def arguments(self, folder: str) -> list[str]:
        """Words for nvcc, which runs in `folder`; writes the prelude and the headers there."""
        front = ["-I" + _FRONT] if self._headers else []
        words = [*front, *self._words, *("-I" + path for path in self._torch)]
        for path, text in self._headers.items():
            target = inside(folder, os.path.join(_FRONT, path))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        if self._prelude == "":
            return words
        with open(os.path.join(folder, _PRELUDE), "w", encoding="utf-8") as file:
            file.write(self._prelude)
        return [*words, "-include", _PRELUDE]

    def assembler_words(self) -> list[str]:
        """What of the words is for the assembler, which runs on its own."""
        return [word for word in self._words if word.startswith("-maxrregcount")]

    def instantiation(self) -> str:
        """Text behind the source that makes its instances."""
        if not self.instances:
            return ""
        lines = ["template struct kernelwright_instance<&%s>;" % text for text in self.instances]
        return "\n".join(["template <auto> struct kernelwright_instance {};", *lines, ""])


def _stamp(folders: list[str]) -> str:
    """Stands for what lies in include folders that are not among the sources: sizes and times of all files."""
    digest = hashlib.sha256()
    for top in folders:
        for folder, inner, names in os.walk(top):
            inner.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                try:
                    found = os.stat(path)
                except OSError:
                    # A link to nothing is no header.
                    continue
                digest.update(("%s\n%d %d\n" % (path, found.st_size, found.st_mtime_ns)).encode())
    return digest.hexdigest()


def torch_folders() -> list[str]:
    """Include folders of this interpreter's PyTorch and of the interpreter itself; empty without PyTorch."""
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return []
    include = os.path.join(list(found.submodule_search_locations)[0], "include")
    folders = [
        include,
        os.path.join(include, "torch", "csrc", "api", "include"),
        sysconfig.get_paths()["include"],
    ]
    return [path for path in folders if os.path.isdir(path)]
