"""What nvcc would run for a source, taken apart: its preprocessor, its device compiler, and where the text
that they hand on becomes the user's own.
"""

from __future__ import annotations

import re
import shlex

#: Files in the folder of a waiting compiler. The first one includes the user's, which the preprocessor would
#: otherwise open before the headers that it is told to include.
FIRST = "kernelwright-first.cu"
WHOLE = "kernelwright-whole.ii"
START = "kernelwright-start.ii"
REST = "kernelwright-rest.h"
MODULE = "kernelwright-module.ptx"
_IDENTITY = "kernelwright-module.id"
_SETTING = re.compile(r"^#\$ (\w+)=(.*)$")
_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"')


class Commands:
    """The two programs with their arguments, and the environment that nvcc gives them."""

    def __init__(self, preprocess: list[str], compile: list[str], environment: dict[str, str]) -> None:
        self.preprocess = preprocess
        self.compile = compile
        self.environment = environment

    def moved(self, folder: str, other: str) -> Commands:
        """For another folder."""
        return Commands(
            [word.replace(folder, other) for word in self.preprocess],
            [word.replace(folder, other) for word in self.compile],
            self.environment,
        )


def read_commands(told: str, named: str) -> Commands | None:
    """From what `nvcc --dryrun -ptx` says of a file that it knows as `named`; None where it would run anything
    else than these two.
    """
    settings: dict[str, str] = {}
    commands = []
    for line in told.splitlines():
        setting = _SETTING.match(line)
        if setting is not None:
            settings[setting.group(1)] = setting.group(2)
        elif line.startswith("#$ "):
            commands.append(shlex.split(line[3:]))
    if len(commands) != 2:
        return None
    preprocess, compile = commands
    if "-E" not in preprocess or compile[0] != "$CICC_PATH/cicc" or "CICC_PATH" not in settings:
        return None
    compile = [settings["CICC_PATH"] + "/cicc", *compile[1:]]
    output, result = _value(preprocess, "-o"), _value(compile, "-o")
    if output is None or result is None or output not in compile or preprocess.count(named) != 1:
        return None
    identity = _value(compile, "--module_id_file_name")
    renamed = {output: START, result: MODULE, **({} if identity is None else {identity: _IDENTITY})}
    return Commands(
        [{output: WHOLE, named: FIRST}.get(word, word) for word in preprocess],
        [renamed.get(word, word) for word in compile],
        {name: settings[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in settings},
    )


def read_program(told: str) -> list[str] | None:
    """The one program that a driver of compilers would run, from what it says with `-###`; None where that is
    not clear.
    """
    commands = [shlex.split(line) for line in told.splitlines() if line.startswith(" ")]
    return commands[0] if len(commands) == 1 and "-E" in commands[0] else None


def _value(words: list[str], option: str) -> str | None:
    return words[words.index(option) + 1] if option in words[:-1] else None


def split_preprocessed(text: str, own: set[str]) -> tuple[str, str] | None:
    """(what is the same for every edit of the code, the rest): parted before the part of an own file in which
    the first code of such a file stands. `own`: paths of the user's files. None where there is no such part.
    """
    start = at = 0
    is_own = False
    for line in text.splitlines(keepends=True):
        marker = _MARKER.match(line)
        if marker is not None:
            name = marker.group(1)
            is_own = (name[2:] if name.startswith("./") else name) in own
            start = at
        elif is_own and line.strip() and not line.startswith("#"):
            return (text[:start], text[start:]) if start > 0 else None
        at += len(line)
    return None


def script(commands: Commands, assemble: list[str]) -> str:
    """Shell text that keeps the preprocessor and the compiler waiting and goes on a step with each line that
    it reads; it ends with everything it started when there is none. It answers with the exit status of each
    step.
    """
    settings = ["export %s=%s" % (name, shlex.quote(value)) for name, value in commands.environment.items()]
    return "\n".join(
        [
            *settings,
            "step() { read -r order || { kill -9 $compiler $preprocessor 2>/dev/null; exit 1; }; }",
            "%s >preprocessed.out 2>&1 & preprocessor=$!" % shlex.join(commands.preprocess),
            "%s >compiled.out 2>&1 & compiler=$!" % shlex.join(commands.compile),
            "step; kill -STOP $compiler $preprocessor",
            "step; kill -CONT $preprocessor; wait $preprocessor; echo $?",
            "step; kill -CONT $compiler; wait $compiler; echo $?",
            "step; %s >assembled.out 2>&1; echo $?" % shlex.join(assemble),
        ]
    )
