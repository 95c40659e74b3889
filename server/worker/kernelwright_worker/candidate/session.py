"""Loads one candidate and calls its entry, sending each launch to the virtual GPU on the other side of the
channel.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import torch

from . import calling, late_assembly, launches, operators, virtual_device
from .diagnostics import absence, diagnostic, is_compilation, record
from .script_import import ScriptImport
from .caller import gradients
from .caller.earlier_results import EarlierResults
from .caller.state import CallerState
from .caller.streams import streams
from .counting.torch_work import TorchWork
from ..errors import WorkerError
from ..framing import Channel
from ..host_clock import limited
from ..source_files import inside, ptx_without_folder, without_folder
from ..tensors import DTYPES, NAMES
from ..torch_gpu import nvidia_smi

#: How much of one of Triton's stages is sent at most.
_STAGE_CHARACTERS = 4 * 1024 * 1024


class LaunchEnded(Exception):
    """The other side ended the run in a launch (a refusal, a fault); it knows why."""


class Buffers:
    """Storages that were seen, by number. Each is kept, so that an address is never used twice."""

    def __init__(self) -> None:
        self._numbers = {}
        self._storages = []
        # Numbers of those that a launch has had.
        self.launched = set()
        # How often torch had changed the tensors in them when the other side knew their contents last.
        self._versions = {}

    def number(self, tensor: torch.Tensor) -> int:
        storage = tensor.untyped_storage()
        address = storage.data_ptr()
        if address not in self._numbers:
            self._numbers[address] = len(self._storages)
            self._storages.append(storage)
        return self._numbers[address]

    def bytes_of(self, number: int) -> torch.Tensor:
        return torch.empty(0, dtype=torch.uint8).set_(self._storages[number])

    def note(self, tensor: torch.Tensor) -> None:
        """The other side knows what the tensor's storage holds now."""
        self._versions[self.number(tensor)] = _version(tensor)

    def changed(self, tensors: list[torch.Tensor]) -> list[int]:
        """Numbers of those storages that torch has made or changed since the other side knew what they hold."""
        now = [(self.number(tensor), _version(tensor)) for tensor in tensors]
        return sorted({number for number, version in now if self._versions.get(number) != version})

    def offset(self, tensor: torch.Tensor) -> int:
        return tensor.data_ptr() - tensor.untyped_storage().data_ptr()


class CandidateSession:
    """params of load: files, call (FILE::FUNCTION), capability, device (facts of the GPU that stands for the
    target).
    """

    def __init__(self, channel: Channel, private: str, params: dict) -> None:
        self._channel = channel
        self._folder = os.path.realpath(os.path.join(private, "candidate"))
        self._params = params
        self._module = None
        self._entry = None
        self._buffers = Buffers()
        self._earlier = EarlierResults()
        self._request = 0
        #: What the last run was given.
        self._given: list[torch.Tensor] = []
        self._wants_ir = False
        #: What else the other side is to tell of launches.
        self._asked: dict = {}
        self._calls = 0
        #: What launches were handed last, by kernel and parameter.
        self._handed: dict[tuple[str, str], torch.Tensor] = {}
        self._driver = launches.install(params["capability"], params["device"], self._on_launch)
        virtual_device.install(params["capability"], params["device"])
        _make_commands(private, params)
        self._work = TorchWork()
        self._mode = virtual_device.VirtualDevice(self._work)
        virtual_device.notice_waits(lambda: self._work.note(self._work.host.waited))
        operators.install(self._work, self._mode)
        self._caller = CallerState()

    def load(self) -> dict:
        """Writes the files and imports the entry: {"loaded": true} with a warning for each module that is not here
        and was not needed, or the diagnostics of what went wrong.
        """
        for name, text in self._params["files"].items():
            path = inside(self._folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        file_name, _, call = self._params["call"].partition("::")
        inside(self._folder, file_name)
        try:
            with limited(self._params.get("processorSeconds", 0)), self._mode:
                script = ScriptImport(self._folder, file_name)
                self._module = script.load()
        except BaseException as error:
            return {"loaded": False, "diagnostics": [diagnostic(error, self._folder, file_name)]}
        absent = [absence(error, file_name, line) for error, line in script.absent]
        if not call or calling.is_expression(call):
            return {"loaded": True, "diagnostics": absent}
        self._entry = calling.resolve(self._module, call)
        if not callable(self._entry):
            message = "%s has no function %s, which the kernel spec calls" % (file_name, call)
            return {"loaded": False, "diagnostics": [record(file_name, 0, message, "spec")]}
        return {"loaded": True, "diagnostics": absent}

    def run(self, request: int, params: dict, frames: list[bytes]) -> tuple[dict, list[bytes]]:
        """params: arguments (in order: {"tensor": index}, {"value": integer} or {"float": number}), tensors
        ({dtype, shape, unwritten}, of a view also strides and first, its first element in its memory; one
        frame each), again (they are those of the run before, with other contents), names (tensor by its name)
        and sizes for an entry that is an expression, patterns (what memory without contents holds: hex of one
        element by dtype), ir (launches come with Triton's representation), processorSeconds (of host code; 0:
        any), callerSeed (what the call leaves changed for its caller is told; random numbers begin there).
        Gives {"returned": [...]} with a description of each output, and the numbers of the buffers that torch
        has changed behind their last launch, each with its contents; or the diagnostic of an exception.
        """
        self._request = request
        self._wants_ir = params.get("ir", False)
        self._buffers = Buffers()
        self._handed.clear()
        self._mode.patterns = {
            DTYPES[name]: bytes.fromhex(pattern)
            for name, pattern in params["patterns"].items()
            if name in DTYPES
        }
        tensors = self._tensors(params, frames)
        for tensor, described in zip(tensors, params["tensors"]):
            self._buffers.note(tensor)
            if described["unwritten"]:
                self._mode.note_unwritten(tensor)
        gradients.ask(tensors, params)
        file_name, _, call = self._params["call"].partition("::")
        self._work.clear()
        self._driver.configurations.want(params.get("configuration", 0), params.get("tries", False))
        try:
            spending = limited(params.get("processorSeconds", 0))
            with spending as spent, self._watched(params) as behind, self._work, self._mode:
                if self._entry is not None:
                    returned = self._entry(*[_argument(each, tensors) for each in params["arguments"]])
                else:
                    names = {name: tensors[index] for name, index in params["names"].items()}
                    # A program makes its modules once, before the calls that are timed.
                    returned = calling.evaluate(
                        *(self._module, call, {**params["sizes"], **names}, self._handed),
                        making=self._work.paused,
                    )
        except LaunchEnded:
            return {"ended": True}, []
        except BaseException as error:
            return {
                "raised": diagnostic(error, self._folder, file_name),
                "compilation": is_compilation(error),
            }, []
        described = self._describe(returned)
        changed = self._buffers.changed([*tensors, *calling.flat(returned)])
        return {
            "returned": described,
            "changed": changed,
            "notes": self._driver.choices,
            "work": self._work.told(),
            "hostCalls": self._work.host.told(),
            "configurations": self._driver.configurations.most,
            "overwrites": self._overwrites(returned),
            "processorSeconds": spent(),
            "behind": {**behind, **gradients.reached(returned, tensors)},
        }, [self._buffers.bytes_of(number).numpy().tobytes() for number in changed]

    @contextlib.contextmanager
    def _watched(self, params: dict) -> Iterator[dict]:
        """Settings that a call within leaves changed, by name, and streams whose order it leaves open, where that is
        asked for.
        """
        behind, seed = {}, params.get("callerSeed")
        if seed is None:
            # A module that makes its own parameters makes the same ones in every run.
            torch.manual_seed(0)
            yield behind
            return
        self._caller.seed(seed)
        with streams.called_from_one() as strays:
            yield behind
        behind.update(self._caller.changed(), **{"streams-%s" % each: "open" for each in strays})

    def _tensors(self, params: dict, frames: list[bytes]) -> list[torch.Tensor]:
        """The tensors of a run. Those of the run before get their contents as from a kernel: torch counts no
        change of them.
        """
        # Let go of first, where they are not given again: other tensors may then lie where they lay.
        before, self._given = self._given if params.get("again") else [], []
        for position, (content, described) in enumerate(zip(frames, params["tensors"])):
            known = before[position] if position < len(before) else None
            if known is not None and content and known.untyped_storage().nbytes() == len(content):
                _fill(known, content)
                self._given.append(known)
            else:
                self._given.append(_tensor(content, described))
        return list(self._given)

    def _overwrites(self, returned: object) -> bool:
        """Whether the call has changed what an earlier one returned. What an expression takes from the arguments
        of kernels was never returned to a caller, who goes on to compute with it.
        """
        if "kernel_arguments" in self._params["call"]:
            return False
        return self._earlier.pass_on(calling.flat(returned))

    def _describe(self, returned: object) -> list:
        described = []
        for value in calling.flat(returned):
            if type(value) not in (torch.Tensor, torch.nn.Parameter):
                raise WorkerError(
                    "tool-failed", "the entry returned %s where a tensor was expected" % type(value).__name__
                )
            described.append(
                {
                    "buffer": self._buffers.number(value),
                    "offset": self._buffers.offset(value),
                    "dtype": NAMES.get(value.dtype, str(value.dtype)),
                    "shape": list(value.shape),
                    "strides": list(value.stride()),
                }
            )
        return described

    def _on_launch(self, launch: dict) -> None:
        self._work.note(self._work.host.launched)
        with self._work.paused():
            self._launch(launch)

    def _launch(self, launch: dict) -> None:
        arguments, used, names = [], {}, []
        for kind, name, *value in launch["arguments"]:
            if kind == "tensor":
                number = self._buffers.number(value[0])
                if number not in used:
                    used[number] = value[0]
                    names.append(self.buffer_name(number, name))
                arguments.append({"buffer": number, "offset": self._buffers.offset(value[0])})
                self._handed[launch["name"], name] = value[0]
            else:
                arguments.append({"bytes": value[0].hex() if kind == "scalar" else "00" * 8})
        contents = [self._buffers.bytes_of(number) for number in used]
        params = {
            "name": launch["name"],
            "grid": launch["grid"],
            "warps": launch["warps"],
            "shared": launch["shared"],
            "clusters": launch["clusters"],
            "arguments": arguments,
            "buffers": list(used),
            "names": names,
            "unwritten": self._unwritten(used),
            **self._asked,
        }
        if self._wants_ir:
            params["ir"] = {
                stage: _with_own_paths(text, self._folder)
                for stage, text in launch["ir"].items()
                if isinstance(text, str) and len(text) <= _STAGE_CHARACTERS
            }
        ptx = ptx_without_folder(launch["ptx"], self._folder).encode("utf-8")
        self._calls += 1
        self._channel.write(
            {"id": self._request, "call": self._calls, "method": "launch", "params": params},
            [ptx, *(content.numpy().tobytes() for content in contents)],
        )
        result, frames = self._await_return()
        if "unassembled" in result:
            raise late_assembly.failure(result["unassembled"])
        for position, content in zip(result["changed"], frames):
            if content:
                contents[position].copy_(torch.frombuffer(bytearray(content), dtype=torch.uint8))
        for tensor in used.values():
            self._buffers.note(tensor)

    def buffer_name(self, _number: int, parameter: str) -> str:
        """What findings call a buffer."""
        return parameter

    def _unwritten(self, used: dict[int, torch.Tensor]) -> list:
        """Those of the buffers, given by number with a tensor of theirs, that no launch has had and that hold
        nothing yet.
        """
        fresh = [
            number
            for number, tensor in used.items()
            if number not in self._buffers.launched and self._mode.is_unwritten(tensor)
        ]
        self._buffers.launched.update(used)
        return fresh

    def _await_return(self) -> tuple[dict, list[bytes]]:
        while True:
            message = self._channel.read()
            if message is None:
                os._exit(0)
            header, frames = message
            if header.get("return") != self._calls:
                continue
            if "error" in header:
                raise LaunchEnded()
            return header["result"], frames


def _make_commands(private: str, params: dict) -> None:
    """What a program may run to ask for the GPU; it goes with the private folder."""
    facts = params["device"]
    folder = os.path.join(private, "commands")
    os.makedirs(folder, exist_ok=True)
    nvidia_smi.make(folder, facts["name"], params["capability"], facts["memory"], nvidia_smi.CUDA_VERSION)


def _version(tensor: torch.Tensor) -> int:
    """How often torch has changed a tensor in place; 0 where torch does not count."""
    return 0 if tensor.is_inference() else tensor._version


def _argument(each: dict, tensors: list[torch.Tensor]) -> object:
    if "tensor" in each:
        return tensors[each["tensor"]]
    return float(each["float"]) if "float" in each else each["value"]


def _tensor(content: bytes, described: dict) -> torch.Tensor:
    shape = described["shape"]
    if not content:
        return torch.empty(shape, dtype=DTYPES[described["dtype"]])
    # A copy into memory that torch itself has allocated: its alignment decides which code Triton generates.
    if "strides" in described:
        dtype = DTYPES[described["dtype"]]
        memory = torch.empty(len(content) // dtype.itemsize, dtype=dtype)
        _fill(memory, content)
        return memory.as_strided(shape, described["strides"], described["first"])
    tensor = torch.empty(shape, dtype=DTYPES[described["dtype"]])
    _fill(tensor, content)
    return tensor


def _fill(tensor: torch.Tensor, content: bytes) -> None:
    """Through the storage: the tensor's own count of changes stays as it was."""
    torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage()).copy_(
        torch.frombuffer(bytearray(content), dtype=torch.uint8)
    )


def _with_own_paths(text: str, folder: str) -> str:
    """Paths below the folder relative to it, in LLVM's notes of files as well, which name folders."""
    return without_folder(text.replace('directory: "%s"' % folder, 'directory: ""'), folder)
