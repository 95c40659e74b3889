"""What a source is compiled with besides its own text, as the host found it (core/workload/build-settings.ts)."""

from __future__ import annotations

import os

_PRELUDE = "kernelwright-prelude.h"


class Build:
    """params: words (for nvcc, harmless to a shell), prelude (text of a header that is included first),
    folders (absolute include folders, which become part of what the compiler may read).
    """

    def __init__(self, params: dict):
        self._words: list[str] = list(params.get("words", []))
        self._prelude: str = params.get("prelude", "")
        self.folders: list[str] = list(params.get("folders", []))

    def identity(self) -> list:
        """Everything that decides what is made of a source."""
        return [self._words, self._prelude]

    def arguments(self, folder: str) -> list[str]:
        """Words for nvcc, which runs in `folder`; writes the prelude there."""
        if self._prelude == "":
            return self._words
        with open(os.path.join(folder, _PRELUDE), "w", encoding="utf-8") as file:
            file.write(self._prelude)
        return [*self._words, "-include", _PRELUDE]

    def assembler_words(self) -> list[str]:
        """What of the words is for the assembler, which runs on its own."""
        return [word for word in self._words if word.startswith("-maxrregcount")]
