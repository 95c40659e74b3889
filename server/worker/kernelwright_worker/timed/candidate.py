"""One candidate on a GPU: its file imported, its entry called on tensors there."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from typing import Any

import torch
import triton

from . import handed
from .buffers import BufferSet
from .order import Call, Order, Pool
from .outputs import find_outputs, memory_of
from .tuning import Tuning
from ..candidate import calling
from ..candidate.diagnostics import diagnostic
from ..candidate.script_import import ScriptImport
from ..source_files import inside
from ..triton_versions import earlier_names

_Work = Callable[[], object]


class Raised(Exception):
    """What the candidate raised, with the place in its own files."""


class Candidate:
    """`gpu`: as `timed.gpu.Gpu` is. Times are taken by it, and contents copied, never by torch."""

    def __init__(self, gpu: Any, folder: str) -> None:
        # As for the virtual GPU: what ran there under a former name runs here.
        earlier_names.install()
        self._gpu = gpu
        self._folder = os.path.realpath(os.path.join(folder, "candidate"))
        self._tuning = Tuning()
        self._module: object = None
        self._call = ""
        self._file = ""
        #: The tensors that calls are handed, by set; of one description and guard at a time.
        self._sets: dict[int, BufferSet] = {}
        self._described: tuple[dict, int] | None = None
        self._entry: Callable[[list[torch.Tensor]], object] | None = None
        #: Where the outputs of each call of the last order lie, and their bytes.
        self._left: list[list[tuple[int, int]]] = []
        self._returned: list[object] = []

    def load(self, call: str, files: dict[str, str]) -> None:
        """Writes the files and imports that of `call` (FILE::FUNCTION or FILE::EXPRESSION). Raises Raised."""
        for name, text in files.items():
            path = inside(self._folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        self._file, _, self._call = call.partition("::")
        inside(self._folder, self._file)
        self._module = self._told(lambda: ScriptImport(self._folder, self._file).load())
        # The collector need not look through all of torch while calls are made.
        gc.freeze()

    def looked_at(self, order: Order) -> tuple[float, list[list[bytearray]], dict]:
        """As `time`, for tools that look at the calls alone: what comes before the first one goes before."""
        self.time(order)
        return self.time(order, True)

    def time(self, order: Order, marked: bool = False) -> tuple[float, list[list[bytearray]], dict]:
        """Makes the calls of an order. Gives the nanoseconds of the timed ones, for each call what its outputs hold,
        and what is told of it: whether the GPU may have waited for Python (`waited`), and `notes`. Raises Raised,
        Outside, NoOutputs and what the GPU raises. `marked`: tools are shown the calls.
        """
        self._returned, self._left = [], []
        works = [self._prepared(order, call) for call in order.calls]
        returned: list[object] = []
        gpu, lead = self._gpu, order.lead
        gc.disable()
        try:
            gpu.synchronize()
            gpu.flush()
            if marked:
                gpu.profile(True)
            for number, work in enumerate(works):
                if number == lead:
                    gpu.begin()
                returned.append(self._told(work))
            waited = gpu.is_behind()
            nanoseconds = gpu.end()
            self._keep(order, returned)
        finally:
            gc.enable()
        if marked:
            gpu.profile(False)
        for call in order.calls:
            self._sets[call.set].look(gpu, order.guard.value)
        contents = [] if order.keeps else [self.kept(number) for number in range(len(returned))]
        return nanoseconds, contents, {"waited": waited, "notes": self._tuning.news()}

    def hold(self, pools: list[Pool]) -> float:
        """Takes what the contents of later orders are drawn from."""
        self._gpu.contents.hold(pools)
        return 0

    def kept(self, number: int) -> list[bytearray]:
        """What the outputs of a call of the last order held when its time was over."""
        return [self._gpu.read(address, size) for address, size in self._left[number]]

    def _prepared(self, order: Order, call: Call) -> _Work:
        described, guard = order.described, order.guard
        if (described, guard.bytes) != self._described:
            self._sets.clear()
            self._described = (described, guard.bytes)
            self._entry = None
        if call.set not in self._sets:
            self._sets[call.set] = BufferSet(described["tensors"], guard)
        self._sets[call.set].fill(self._gpu, call.contents, guard.value)
        tensors = self._sets[call.set].tensors
        if self._entry is None:
            torch.manual_seed(0)
            self._entry = self._told(lambda: self._entry_for(described, tensors))
        entry = self._entry
        return lambda: entry(tensors)

    def _entry_for(self, described: dict, tensors: list[torch.Tensor]) -> Callable[[list], object]:
        """What calls the entry with tensors of this description."""
        if not calling.is_expression(self._call):
            function = calling.resolve(self._module, self._call)
            if not callable(function):
                raise LookupError("%s has no function %s" % (self._file, self._call))
            arguments = [_argument(each) for each in described["arguments"]]
            return lambda given: function(*[argument(given) for argument in arguments])
        places, seen = described["names"], {}
        if "kernel_arguments" in self._call:
            handed.remember(seen)
        named = {name: tensors[place] for name, place in places.items()}
        sizes = described["sizes"]
        value = calling.prepare(self._module, self._call, {**sizes, **named}, seen, _on_gpu)
        return lambda given: value({**sizes, **{name: given[place] for name, place in places.items()}})

    def _keep(self, order: Order, returned: list[object]) -> None:
        """Copies outputs at once: what other threads compute behind the time comes too late. Raises NoOutputs."""
        self._returned = returned
        for number, (call, value) in enumerate(zip(order.calls, returned)):
            passed = self._sets[call.set].tensors
            found = find_outputs(order.described["outputs"], calling.flat(value), passed)
            self._left.append([self._copied((number, place), each) for place, each in enumerate(found)])

    def _copied(self, place: tuple[int, int], tensor: torch.Tensor) -> tuple[int, int]:
        whole, address, size = memory_of(tensor)
        copy = self._gpu.contents.copied(place, address, size)
        if copy == address:
            self._returned.append(whole)
        return copy, size

    def _told(self, work: _Work) -> Any:
        """What the candidate's own code gives; what it raises is told with its place."""
        try:
            return work()
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
                raise
            found = diagnostic(error, self._folder, self._file)
            raise Raised("%s:%d: %s" % (found["file"], found["line"], found["message"])) from error


def versions() -> dict[str, str]:
    """What the times depend on besides the GPU."""
    return {
        "torch": torch.__version__,
        "triton": triton.__version__,
        "cuda": torch.version.cuda or "",
        "gpu": torch.cuda.get_device_name(0),
    }


def _argument(each: dict) -> Callable[[list[torch.Tensor]], object]:
    if "tensor" in each:
        place = each["tensor"]
        return lambda given: given[place]
    value = float(each["float"]) if "float" in each else each["value"]
    return lambda _: value


def _on_gpu(make: Callable[[], object]) -> object:
    """A torch module with the parameters that it has on the CPU, moved: the virtual GPU makes no difference between
    the two.
    """
    made = make()
    return made.to("cuda") if isinstance(made, torch.nn.Module) else made
