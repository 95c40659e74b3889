"""Watches a program: the calls of its own functions, and the launches of kernels within them."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import threading
import types
from typing import Any

import torch
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

from .functions import expression_of, is_forward, kernel_expression, module_of
from .modules import MadeModules
from .values import Arguments, NotRecordable, content_of, dtype_name, values_in

#: The variable that names the folder where the recording is put.
FOLDER = "KERNELWRIGHT_RECORDING"
#: Different calls of a kernel that are kept, and bytes of all.
_MOST_CALLS = 6
_MOST_BYTES = 1 << 29


@dataclasses.dataclass
class Call:
    """A call under way that may be recorded."""

    file: str
    text: str
    arguments: Arguments
    #: The launch itself, as no function of the program would make it.
    is_launch: bool = False
    #: Kernels that were launched within, by name, with the file of each, in their order.
    kernels: dict[str, str] = dataclasses.field(default_factory=dict)
    #: Addresses of the storages that launches within were handed.
    handed: set[int] = dataclasses.field(default_factory=set)


class Recorder:
    """Writes `calls.json` and the contents of tensors into a folder."""

    def __init__(self, folder: str, workspace: str, own: tuple[str, ...]) -> None:
        self._folder = folder
        self._workspace = os.path.realpath(workspace) + os.sep
        self._own = own
        self._files: dict[str, str | None] = {}
        #: Functions that were left without a launch: they are looked at no more.
        self._idle: set[object] = set()
        self._modules = MadeModules()
        self._local = threading.local()
        self._kept: list[dict] = []
        #: What was recorded of each different call; None for one of which nothing is kept.
        self._known: dict[str, dict | None] = {}
        #: Kernels of the program with a launch that has no text, and why.
        self._missed: dict[tuple[str, str], str] = {}
        self._bytes = 0
        self._tuning = 0

    def install(self) -> None:
        """From here on calls and launches are seen."""
        launch, tune = JITFunction.run, Autotuner._bench

        def run(
            function: JITFunction, *args: Any, grid: Any = None, warmup: bool = False, **kwargs: Any
        ) -> object:
            call = None if warmup else self._begin_launch(function, args, grid, kwargs)
            made = launch(function, *args, grid=grid, warmup=warmup, **kwargs)
            if call is not None:
                self._end(call, None)
            return made

        def bench(tuner: Autotuner, *args: Any, **kwargs: Any) -> object:
            self._tuning += 1
            try:
                return tune(tuner, *args, **kwargs)
            finally:
                self._tuning -= 1

        JITFunction.run, Autotuner._bench = run, bench
        sys.setprofile(self._see)
        threading.setprofile(self._see)

    def finish(self) -> None:
        """Writes what was recorded."""
        sys.setprofile(None)
        self._write()

    def _write(self) -> None:
        """What was kept so far, whole at any time: the program may be ended from outside."""
        missed = [
            {"kernel": kernel, "file": file, "reason": reason}
            for (kernel, file), reason in self._missed.items()
        ]
        for name, told in (("calls.json", self._kept), ("missed.json", missed)):
            path = os.path.join(self._folder, name)
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(told, file)
            os.replace(path + ".new", path)

    @property
    def _stack(self) -> list[tuple[object, Call | None]]:
        if not hasattr(self._local, "stack"):
            self._local.stack = []
        return self._local.stack

    def _see(self, frame: types.FrameType, event: str, argument: object) -> None:
        if event == "call":
            code = frame.f_code
            if code in self._idle:
                return
            file = self._file_of(code.co_filename)
            if file is None or code.co_name.startswith("<"):
                self._idle.add(code)
                return
            if self._modules.note(frame):
                return
            self._stack.append((frame, self._begin(frame, file)))
        elif event == "return" and self._stack and self._stack[-1][0] is frame:
            _, call = self._stack.pop()
            if call is None:
                return
            if call.kernels:
                self._end(call, argument)
            elif not self._stack or all(each is None for _, each in self._stack):
                self._idle.add(frame.f_code)

    def _file_of(self, name: str) -> str | None:
        """The real path of a file of the program; None for code that is not its own."""
        if name not in self._files:
            real = os.path.realpath(name)
            is_own = real.startswith(self._workspace) and not real.startswith(self._own)
            packaged = "site-packages" in real or "dist-packages" in real
            self._files[name] = real if is_own and not packaged and os.path.isfile(real) else None
        return self._files[name]

    def _begin(self, frame: types.FrameType, file: str) -> Call | None:
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = {name: frame.f_locals.get(name) for name in names}
        if code.co_flags & 0x0C:
            return None
        arguments = Arguments()
        try:
            found = self._head(code, file, given, arguments)
            if found is None:
                return None
            head, skipped = found
            texts = [
                arguments.text(name, given[name])
                if index < code.co_argcount
                else "%s=%s" % (name, arguments.text(name, given[name]))
                for index, name in enumerate(names)
                if index >= skipped
            ]
        except NotRecordable:
            return None
        if not arguments.tensors:
            return None
        return self._started(Call(file, "%s(%s)" % (head, ", ".join(texts)), arguments))

    def _head(
        self, code: types.CodeType, file: str, given: dict, arguments: Arguments
    ) -> tuple[str, int] | None:
        """What a frame's function is called by, and how many of its first arguments that leaves out."""
        own = next(iter(given.values()), None)
        if isinstance(own, torch.nn.Module) and is_forward(code, own):
            made = self._modules.text(own, module_of(file), arguments)
            return None if made is None else (made, 1)
        return expression_of(code, module_of(file), given)

    def _started(self, call: Call) -> Call:
        """Takes the contents of a call that is not known yet."""
        if _signature(call) not in self._known:
            call.arguments.take()
        return call

    def _begin_launch(self, function: JITFunction, args: tuple, grid: Any, kwargs: dict) -> Call | None:
        """Tells the calls under way of a launch, which is a call itself."""
        file = os.path.realpath(function.fn.__code__.co_filename)
        name = function.fn.__name__
        storages = {
            each.untyped_storage().data_ptr()
            for each in [*args, *kwargs.values()]
            if isinstance(each, torch.Tensor)
        }
        for call in (each for _, each in self._stack if each is not None):
            call.kernels[name] = file
            call.handed |= storages
        if self._tuning or self._file_of(file) is None:
            return None
        return self._launch(function, file, args, grid, kwargs)

    def _launch(self, function: JITFunction, file: str, args: tuple, grid: Any, kwargs: dict) -> Call | None:
        head = kernel_expression(function, module_of(file))
        if head is None:
            return self._miss(function, file, "no name of its module means the kernel")
        arguments = Arguments()
        constant = {each.name for each in function.params if each.is_constexpr}
        named = {**dict(zip(function.arg_names, args)), **kwargs}
        try:
            texts = [
                "%s=%s"
                % (name, repr(value) if _is_plain(name, value, constant) else arguments.text(name, value))
                for name, value in named.items()
            ]
            size = grid({**named, **kwargs}) if callable(grid) else grid
            axes = [arguments.text("grid_%s" % axis, int(each)) for axis, each in zip("xyz", size)]
        except NotRecordable as error:
            return self._miss(function, file, str(error))
        except (TypeError, KeyError):
            return self._miss(function, file, "its grid is not known before the launch")
        text = "%s[(%s,)](%s)" % (head, ", ".join(axes), ", ".join(texts))
        call = self._started(Call(file, text, arguments, is_launch=True))
        call.kernels[function.fn.__name__] = file
        call.handed = {each.live.untyped_storage().data_ptr() for each in arguments.tensors}
        return call

    def _miss(self, function: JITFunction, file: str, reason: str) -> None:
        """Notes once why a launch of a kernel is not recorded."""
        key = (function.fn.__name__, file)
        if key not in self._missed:
            self._missed[key] = reason
            self._write()

    def _end(self, call: Call, returned: object) -> None:
        """Keeps a call that has returned, once for each different one."""
        signature = _signature(call)
        if signature in self._known:
            known = self._known[signature]
            if known is not None:
                known["count"] += 1
            return
        with torch._C.DisableTorchFunction():
            outputs, text = self._results(call, returned)
        inputs = call.arguments.tensors
        changed = [each for each in inputs if each.now() != each.before]
        contents = [
            *(each.before or b"" for each in inputs),
            *(each["content"] for each in outputs),
            *(each.now() for each in changed),
        ]
        size = sum(map(len, contents))
        same = sum(1 for each in self._kept if each["call"] == text)
        self._known[signature] = None
        if same >= _MOST_CALLS or self._bytes + size > _MOST_BYTES or not (outputs or changed):
            return
        self._bytes += size
        for position, content in enumerate(contents):
            with open(os.path.join(self._folder, "%d-%d.bin" % (len(self._kept), position)), "wb") as file:
                file.write(content)
        record = {
            "kernels": [{"kernel": name, "file": file} for name, file in call.kernels.items()],
            "file": call.file,
            "call": text,
            "isLaunch": call.is_launch,
            "numbers": call.arguments.numbers,
            "inputs": [
                {
                    "name": each.name,
                    "dtype": each.dtype,
                    "shape": each.shape,
                    "values": values_in(each.before or b"", each.dtype),
                }
                for each in inputs
            ],
            "outputs": [{key: each[key] for key in ("name", "dtype", "shape")} for each in outputs],
            "changed": [each.name for each in changed],
            "count": 1,
        }
        self._kept.append(record)
        self._known[signature] = record
        self._write()

    def _results(self, call: Call, returned: object) -> tuple[list, str]:
        """The returned tensors that are memory of a kernel and no arguments, and the call that gives them."""
        own = {each.live.untyped_storage().data_ptr() for each in call.arguments.tensors}
        tensors = _tensors_in(returned)
        outputs, positions = [], []
        for position, each in enumerate(tensors):
            address = each.untyped_storage().data_ptr()
            if address in own or address not in call.handed or dtype_name(each) is None:
                continue
            content = content_of(each)
            name = call.arguments.free_name("result" if not outputs else "result_%d" % (len(outputs) + 1))
            outputs.append(
                {"name": name, "dtype": dtype_name(each), "shape": list(each.shape), "content": content}
            )
            positions.append(position)
        if len(outputs) == len(tensors) or not outputs:
            return outputs, call.text
        return outputs, "results(%s, %s)" % (call.text, ", ".join(map(str, positions)))


def _signature(call: Call) -> str:
    """Calls that are equal in it are told apart by contents only."""
    tensors = [(each.name, each.dtype, each.shape) for each in call.arguments.tensors]
    return json.dumps([call.file, call.text, call.arguments.numbers, tensors])


def _is_plain(name: str, value: object, constant: set[str]) -> bool:
    """Values that the compiler is told, and the options of a launch, stand in the call as they are."""
    settings = ("num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion")
    return not isinstance(value, torch.Tensor) and (name in constant or name in settings)


def _tensors_in(value: object) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [tensor for each in value for tensor in _tensors_in(each)]
    return []
