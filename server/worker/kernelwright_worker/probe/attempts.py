"""Calls entries with made-up tensors: dry, where launches are noted only, and for real on the virtual GPU."""

from __future__ import annotations

import hashlib
import math
import re
import sys
import threading
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from triton.runtime.jit import JITFunction

from ..candidate import calling
from ..candidate.diagnostics import diagnostic
from ..candidate.session import Buffers, CandidateSession, LaunchEnded
from ..tensors import DTYPES, NAMES
from .values.choices import REAL_BYTES, Tensor, tells_offsets
from .entries import Entry
from .prober import Prober
from .returned import free_name
from .search import Attempt, shape_in

if TYPE_CHECKING:
    from ..framing import Channel

#: Elements of a tensor that is made up.
_MOST_ELEMENTS = 2**24
#: Launches of one call that cost nothing beside their instructions; what each further one counts for, in
#: warp-level instructions; and how many a call may make at all: a loop of the host may make one for each row.
_FEW_LAUNCHES, _LAUNCH_WORK, _MOST_LAUNCHES = 16, 100_000, 512


#: What memory without contents holds.
_UNWRITTEN = -12345.0
#: The same of whole numbers where no kernel runs: host code may take what one would have written for places.
_PLACES = {dtype: bytes(dtype.itemsize) for name, dtype in DTYPES.items() if "int" in name}


def _blocks_of(grid: Any) -> int:
    """How many blocks a grid has; 0 for what is none."""
    try:
        extents = grid if isinstance(grid, (tuple, list)) else (grid,)
        return math.prod(int(each) for each in extents)
    except (TypeError, ValueError):
        return 0


class LaunchFaulted(Exception):
    """A launch left the memory that it was given."""


class Attempts(CandidateSession):
    """A candidate's session that calls what the probe asks for."""

    def __init__(self, channel: Channel, private: str, params: dict) -> None:
        super().__init__(channel, private, params)
        self._dry = True
        self._attempt = Attempt(0, 0)
        self._names: list[str] = []
        #: Numbers of the buffers of the present launch, and of those that launches have changed.
        self._launching: list[int] = []
        self._changed: set[int] = set()
        #: For each integer input the text of the size below which its values stay.
        self.below: dict[str, str] = {}
        #: What a program was seen to hand over, as `recording.values.values_in` tells it.
        self.values: dict[str, dict] = {}
        #: Inputs of whole numbers that take any value of their type.
        self.data: set[str] = set()
        #: Inputs of which no more is asked than whether they are zero.
        self.flags: set[str] = set()
        #: Real numbers in the form of bytes.
        self._reals: set[str] = set()
        #: Inputs that are handed over as memory without contents.
        self.unwritten: set[str] = set()
        #: Inputs of the present entry that are outputs only.
        self.filled: set[str] = set()
        #: No further runs: the time is used up.
        self.late = False
        original = JITFunction.run

        def run(
            function: JITFunction, *args: Any, grid: Any = None, warmup: bool = False, **kwargs: Any
        ) -> object:
            # What is made ahead is read by host code (registers, shared memory) and launched by itself.
            if warmup:
                return original(function, *args, grid=grid, warmup=warmup, **kwargs)
            self._attempt.kernels.append(function.fn.__name__)
            if not self._dry:
                return original(function, *args, grid=grid, warmup=warmup, **kwargs)
            known = {key: kwargs[key] for key in kwargs if key in function.signature.parameters}
            bound = function.signature.bind_partial(*args, **known)
            self._attempt.constants.update(
                ((function.fn.__name__, each.name), bound.arguments.get(each.name))
                for each in function.params
                if each.is_constexpr
            )
            if callable(grid):
                bound = function.signature.bind(*args, **known)
                bound.apply_defaults()
                grid = grid(dict(kwargs, **bound.arguments))
            if function.fn.__name__ == self.kernel:
                self._attempt.blocks = max(self._attempt.blocks, _blocks_of(grid))
            return None

        JITFunction.run = run

    @property
    def kernel(self) -> str:
        """The kernel that is looked for."""
        return self._params["kernel"]

    def probe(self, request: int) -> dict:
        """Imports the file and looks for an entry: the parts of a spec, or a sentence why there is none."""
        self._request = request
        loaded = self.load()
        if not loaded["loaded"]:
            found = loaded["diagnostics"][0]
            return {"found": False, "problem": "%(file)s:%(line)s: %(message)s" % found}
        return Prober(self, self._params).probe()

    def attempt(self, entry: Entry, sizes: dict[str, int], dry: bool = True) -> Attempt:
        """Calls the entry once. Never raises but for what ends the process."""
        self._dry = dry
        self._mode.patterns = _PLACES if dry else {}
        self._attempt = made = Attempt(0, 0)
        self._buffers = Buffers()
        self._handed.clear()
        self._changed.clear()
        kernel = self._params["kernel"]
        torch.manual_seed(0)
        self.flags = {each.alias for each in entry.parameters if each.flag}
        self._reals = {alias for alias, choice in entry.tensors().items() if choice.is_real}
        try:
            tensors = {
                alias: self._make(alias, choice.tensor, sizes) for alias, choice in entry.tensors().items()
            }
        except (ValueError, RuntimeError, KeyError) as error:
            made.problem = str(error)
            return made
        self._names = list(tensors)
        for tensor in tensors.values():
            self._buffers.number(tensor)
        for alias in self.unwritten & set(tensors):
            self._fill(tensors[alias])
        lines: set[tuple[str, int]] = set()
        try:
            with self._mode:
                returned = self._traced(lines, entry.text(), {**sizes, **tensors})
            made.stage = 3 if kernel in made.kernels else 2
            results = calling.flat(returned)
            made.results = self._results(results, tensors)
            made.contents = [_digest(each) for each in results]
            if not dry:
                made.left = sum(self._mode.unwritten_elements(calling.readable(each)) for each in results)
            made.arguments = {
                name: self._result(tensor, tensors)
                for (of, name), tensor in self._handed.items()
                if of == kernel and self._buffers.number(tensor) in self._changed
            }
            made.written = {alias: _written(tensors[alias]) for alias in self.unwritten & set(tensors)}
        except (LaunchFaulted, LaunchEnded):
            made.stage = 1
            made.problem = made.fault
        except (KeyboardInterrupt, SystemExit) as error:
            made.problem = type(error).__name__
        except BaseException as error:
            made.stage = 1 if kernel in made.kernels else 0
            found = diagnostic(error, self._folder, self._params["call"].partition("::")[0])
            made.problem = "%s:%s: %s" % (found["file"], found["line"], found["message"])
        made.progress = len(lines)
        return made

    def measure(self, entry: Entry, sizes: dict[str, int]) -> Attempt:
        """`attempt` on the virtual GPU, which tells how far inputs are read."""
        self._asked = {"touched": True}
        try:
            made = self.attempt(entry, sizes, dry=False)
        finally:
            self._asked = {}
        types = {alias: DTYPES[choice.tensor.dtype] for alias, choice in entry.tensors().items()}
        made.read = {
            name: -(-end // types[name].itemsize) for name, end in made.read.items() if name in types
        }
        return made

    def _traced(self, lines: set[tuple[str, int]], text: str, names: dict) -> object:
        """Evaluates an expression and notes the lines of the user's files that are run on the way."""
        folder = self._folder

        def local(frame: types.FrameType, event: str, _: object) -> Callable[..., object]:
            if event == "line":
                lines.add((frame.f_code.co_filename, frame.f_lineno))
            return local

        def trace(frame: types.FrameType, _event: str, _argument: object) -> Callable[..., object] | None:
            return local if frame.f_code.co_filename.startswith(folder) else None

        if not self._dry:
            return calling.evaluate(self._module, text, names, self._handed)
        sys.settrace(trace)
        threading.settrace(trace)
        try:
            return calling.evaluate(self._module, text, names, self._handed)
        finally:
            sys.settrace(None)
            threading.settrace(None)

    def evaluate(self, text: str, sizes: dict[str, int], tensors: dict[str, Tensor] | None = None) -> object:
        """The value of an expression in the names of the module, with made-up tensors of these names."""
        torch.manual_seed(0)
        made = {alias: self._make(alias, each, sizes) for alias, each in (tensors or {}).items()}
        with self._mode:
            return calling.evaluate(self._module, text, {**sizes, **made}, self._handed)

    def is_unwritten(self, tensor: torch.Tensor) -> bool:
        """Whether nobody has written any of a tensor's memory."""
        return self._mode.unwritten_elements(tensor) >= tensor.numel()

    def constants(self) -> dict[str, int]:
        """Whole numbers of the module, by name."""
        return {name: value for name, value in vars(self._module).items() if type(value) is int}

    def configurations(self) -> int:
        """How many versions of the kernel its autotuner chooses from; 1 without one."""
        made = vars(self._module).get(self.kernel)
        count = 1
        while made is not None:
            count *= max(1, len(getattr(made, "configs", ())))
            made = getattr(made, "fn", None)
        return count

    def _make(self, alias: str, wanted: Tensor, sizes: dict[str, int]) -> torch.Tensor:
        shape = shape_in(wanted, sizes)
        count = 1
        for size in shape:
            count *= size
        if count > _MOST_ELEMENTS:
            raise ValueError("%s would have %d elements" % (alias, count))
        dtype = DTYPES[wanted.dtype]
        kind = self.values.get(alias, {}).get("kind")
        if dtype.is_floating_point and kind in ("uniform", "positive"):
            return torch.rand(shape).to(dtype)
        if dtype.is_floating_point:
            return (torch.rand(shape) > 0.5 if alias in self.flags else torch.randn(shape)).to(dtype)
        if wanted.dtype == "bool":
            return torch.rand(shape) > 0.5
        if alias in self._reals:
            return torch.randint(0, REAL_BYTES + 1, shape, dtype=dtype)
        if alias in self.data:
            bounds = torch.iinfo(dtype)
            return torch.randint(bounds.min, bounds.max + 1, shape, dtype=dtype)
        if kind == "permutation":
            return (torch.randperm(count).reshape(shape) + self.values[alias]["low"]).to(dtype)
        bound = self.below.get(alias)
        high = eval(bound, {}, dict(sizes)) if bound else min([*sizes.values(), 2])  # noqa: S307
        if tells_offsets(alias, wanted) and shape[0] > 1:
            inner = (
                torch.randint(0, high + 1, (shape[0] - 2,)).sort().values if shape[0] > 2 else torch.empty(0)
            )
            return torch.cat([torch.zeros(1), inner, torch.full((1,), high)]).to(dtype)
        low = self.values.get(alias, {}).get("low", 0)
        values = torch.randint(low, max(low + 1, high), shape).to(dtype)
        if bound and count > 0:
            # What the largest value leads to shows where least memory lies behind it.
            values.view(-1)[-1] = max(1, high) - 1
        return values

    def _fill(self, tensor: torch.Tensor) -> None:
        tensor.fill_(_UNWRITTEN if tensor.is_floating_point() else 77)
        self._mode.note_unwritten(tensor)

    def _results(self, results: list[torch.Tensor], tensors: dict[str, torch.Tensor]) -> list[tuple]:
        """What came back. Memory that launches only read is what host code computed; where they changed none, all that
        they had counts.
        """
        found = [self._result(each, tensors) for each in results]
        numbers = [self._buffers.number(each) for each in results]
        if self._dry or not self._changed.intersection(numbers):
            return found
        return [(*told, number in self._changed) for (*told, _), number in zip(found, numbers)]

    def _result(self, tensor: torch.Tensor, tensors: dict[str, torch.Tensor]) -> tuple:
        address = tensor.untyped_storage().data_ptr()
        part = next(
            (name for name, each in tensors.items() if each.untyped_storage().data_ptr() == address), None
        )
        written = self._dry or self._buffers.number(tensor) in self._buffers.launched
        dtype = calling.readable(tensor).dtype
        return NAMES.get(dtype, str(dtype)), list(tensor.shape), part, written

    def buffer_name(self, number: int, parameter: str) -> str:
        """The name by which the virtual GPU speaks of a buffer: that of the input, if it is one, else a name that
        no input has.
        """
        return self._names[number] if number < len(self._names) else free_name(parameter, set(self._names))

    def _on_launch(self, launch: dict) -> None:
        tensors = [value[0] for kind, _, *value in launch["arguments"] if kind == "tensor"]
        self._launching = list(dict.fromkeys(self._buffers.number(each) for each in tensors))
        # Of a kernel that was made ahead nobody was asked to run the function.
        if launch["name"] not in self._attempt.kernels:
            self._attempt.kernels.append(launch["name"])
        if not self._dry:
            self._attempt.lines = max(self._attempt.lines, launch["ptx"].count("\n"))
            super()._on_launch(launch)

    def _await_return(self) -> tuple[dict, list[bytes]]:
        result, frames = super()._await_return()
        made = self._attempt
        made.launches += 1
        made.instructions += int(result.get("instructions", 0))
        if made.launches > _FEW_LAUNCHES:
            made.instructions += _LAUNCH_WORK
        if made.launches > _MOST_LAUNCHES:
            made.fault = "more than %d launches in one call" % _MOST_LAUNCHES
            raise LaunchFaulted()
        for finding in result.get("findings", []):
            quoted = re.search(r'"(\w+)"', finding["message"])
            if finding["kind"] == "uninitialized-read" and quoted:
                made.uninitialized.add(quoted.group(1))
            elif finding["kind"] == "global-race":
                # Made-up sizes may make blocks overlap: that is no call to judge the kernel by.
                result["fault"] = finding["message"]
        for name, end in result.get("read", {}).items():
            made.read[name] = max(end, made.read.get(name, 0))
        for name in result.get("changedNames", []):
            made.changed.add(name)
        self._changed.update(self._launching[position] for position in result["changed"])
        if result.get("fault"):
            made.fault = result["fault"]
            quoted = re.search(r'"(\w+)"', made.fault)
            made.faulty = quoted.group(1) if quoted and quoted.group(1) in self._names else None
            raise LaunchFaulted()
        return result, frames


def _digest(tensor: torch.Tensor) -> bytes:
    """Of all elements of a tensor, in order."""
    plain = tensor.detach().contiguous().reshape(-1).view(torch.uint8)
    return hashlib.sha256(plain.numpy().tobytes()).digest()


def _written(tensor: torch.Tensor) -> list[int] | None:
    """How far a tensor, handed over as memory without contents, was written in each dimension; None where
    what was written is no box that begins at its start.
    """
    wanted = _UNWRITTEN if tensor.is_floating_point() else 77
    written = tensor != torch.tensor(wanted, dtype=tensor.dtype)
    places = written.nonzero()
    if places.numel() == 0:
        return None
    extents = [int(each) + 1 for each in places.max(dim=0).values] if tensor.dim() else []
    box = written[tuple(slice(0, each) for each in extents)]
    return extents if bool(box.all()) else None
