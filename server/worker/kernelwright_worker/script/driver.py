"""Triton's driver for the virtual GPU: compiles without a GPU and sends each launch to the device, tensors
and all.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import sys
from typing import TYPE_CHECKING

import torch
import triton
from collections.abc import Callable, Iterator

from ..candidate import launches
from . import protocol
from .device import place_of_caller
from .known_addresses import IN_THIS_PROCESS, KnownAddresses
from .mirror import Mirror
from .never_written import NeverWritten
from .stores import stored_parameters
from .wire import DeviceError

if TYPE_CHECKING:
    from triton.compiler.compiler import CompiledKernel
    from .device import Device
    from .mirror import Upload

#: What the driver is asked for, as numbers of cudaDeviceAttr.
(
    _SHARED_BYTES,
    _WARP,
    _REGISTERS,
    _CLOCK,
    _MULTIPROCESSORS,
    _MEMORY_CLOCK,
    _BUS_WIDTH,
    _SECOND_LEVEL_BYTES,
    _THREADS,
    _MAJOR,
    _MINOR,
) = 97, 10, 12, 13, 16, 36, 37, 38, 39, 75, 76
_NOT_SUPPORTED = 801
#: Bytes of a launch's buffers from which on it pays to read the kernel for what it changes.
_WORTH_READING = 1 << 18


class KernelError(RuntimeError):
    """A kernel did something that ends a launch on a GPU, or its launch is not legal."""


class KernelRefused(KernelError):
    """The virtual GPU lacks something that the kernel needs; the message names it."""


# The names under which Python shows them.
KernelError.__module__ = KernelRefused.__module__ = "kernelwright"


class ScriptDriver(launches.VirtualDriver):
    """The active driver of a program that `kernelwright run` started."""

    def __init__(self, device: Device, gpu: ctypes.CDLL | None = None) -> None:
        """`gpu`: the library of torch_gpu.backend, when torch has tensors on `cuda`."""
        attributes = device.attributes
        modelled = 10 * attributes[_MAJOR] + attributes[_MINOR]
        # The virtual GPU executes code for these; what newer GPUs add to them it lacks.
        self.capability = 89 if modelled >= 89 else min(80, modelled)
        facts = {
            "name": device.name,
            "capability": self.capability,
            "sharedBytesPerBlock": attributes[_SHARED_BYTES],
            "multiprocessors": attributes[_MULTIPROCESSORS],
            "memory": device.memory,
            "threadsPerMultiprocessor": attributes[_THREADS],
            "secondLevelBytes": attributes[_SECOND_LEVEL_BYTES],
        }
        super().__init__(self.capability, facts, self._run)
        self.facts = facts
        #: What torch's tensors on `cuda` come from; None when they are in main memory only.
        self.gpu = gpu
        self.device = device
        #: Capability of the modelled GPU.
        self.modelled_capability = modelled
        self._stores = {}
        self._has_told = gpu is None
        self._counts_all = False
        self._benchmarks = 0
        #: How many launches the device has sampled.
        self.sampled = 0
        #: How many launches were made so far.
        self.launched = 0
        #: Set by `install`: gives the benchmarker of the autotuner.
        self.benchmarker = None
        #: Folders whose code is not the program's.
        self._own = (
            os.path.dirname(os.path.dirname(os.path.realpath(__file__))),
            *(os.path.dirname(os.path.realpath(module.__file__)) for module in (torch, triton)),
        )
        known = KnownAddresses(self._own)
        known.install()
        never_written = NeverWritten() if device.sanitizes else None
        if never_written is not None:
            never_written.install()
        self.mirror = Mirror(device, known, never_written)

    def load_binary(self, name: str, cubin: bytes, shared: int, _: int) -> tuple:
        """The module, its kernel, registers and spilled words of a thread, and the most threads of a block."""
        with _Told():
            loaded = self.device.load(self.loading[-1].asm["ptx"], cubin, name)
        return loaded.module, loaded, loaded.registers, loaded.local // 4, loaded.most_threads

    def get_device_properties(self, _: object = None) -> dict:
        attributes = self.device.attributes
        wanted = {
            "max_shared_mem": _SHARED_BYTES,
            "multiprocessor_count": _MULTIPROCESSORS,
            "max_num_regs": _REGISTERS,
            "warpSize": _WARP,
            "sm_clock_rate": _CLOCK,
            "mem_clock_rate": _MEMORY_CLOCK,
            "mem_bus_width": _BUS_WIDTH,
        }
        return {name: attributes.get(number, 0) for name, number in wanted.items()}

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu") if self.gpu is None else torch.device("cuda", 0)

    def get_benchmarker(self) -> Callable[..., list[float] | float] | None:
        return self.benchmarker

    def get_empty_cache_for_benchmark(self) -> torch.Tensor:
        return torch.empty(0)

    def clear_cache(self, _: object) -> None:
        """The model does not depend on what ran before."""

    @contextlib.contextmanager
    def benchmarking(self) -> Iterator[None]:
        """Of launches within only the time is of interest: they are counted, of long ones a sample of blocks,
        and what such a launch writes is dropped.
        """
        self._benchmarks += 1
        try:
            yield
        finally:
            self._benchmarks -= 1

    def count_always(self) -> None:
        """From here on every launch is counted."""
        self._counts_all = True

    @property
    def is_counting(self) -> bool:
        """Whether launches are counted now."""
        return self._counts_all or self._benchmarks > 0

    def place(self) -> str:
        """Where the program is."""
        return place_of_caller(self._own)

    def show_printed(self) -> None:
        """Writes what kernels have printed. After a fault the device may have nothing more to say."""
        try:
            text = self.device.printed()
        except DeviceError:
            return
        if text:
            sys.stdout.write(text)

    def modelled(self) -> int:
        """Modelled nanoseconds of all launches that were counted so far."""
        with _Told():
            modelled, self.sampled = self.device.mark()
        return modelled

    def _stored(self, launch: dict, size: int) -> set[int] | None:
        """Positions of the arguments that the kernel may store through; None where asking costs more than
        fetching everything.
        """
        loaded = launch["kernel"].function
        if size < _WORTH_READING:
            return None
        if loaded not in self._stores:
            self._stores[loaded] = stored_parameters(launch["ptx"], launch["name"])
        return self._stores[loaded]

    def _tell_of_host_tensors(self, kernel: CompiledKernel, arguments: list[tuple]) -> None:
        """A GPU cannot reach what is not pinned. Here it can, and a program may be meant to run here only."""
        if self._has_told:
            return
        for kind, name, *value in arguments:
            if kind == "tensor" and value[0].device.type == "cpu" and not value[0].is_pinned():
                self._has_told = True
                sys.stderr.write(
                    "kernelwright: %s is given %s in main memory, which a real GPU refuses\n" % (kernel, name)
                )
                return

    def _counting_flags(self) -> int:
        counted = protocol.LAUNCH_FLAG_COUNTED if self.is_counting else 0
        return counted | (protocol.LAUNCH_FLAG_SAMPLED if self._benchmarks > 0 else 0)

    def _was_sampled(self) -> bool:
        """Whether the device ran some blocks only of the launch that it was given last."""
        before = self.sampled
        _, self.sampled = self.device.mark()
        return self.sampled > before

    def _run(self, launch: dict) -> None:
        if launch["clusters"] > 1:
            raise KernelRefused("refused: thread block clusters (num_ctas=%d)" % launch["clusters"])
        device, where, arguments = self.device, self.place(), launch["arguments"]
        shape = (
            launch["grid"],
            32 * launch["warps"],
            launch["shared"],
            launch["cooperative"],
            self._counting_flags(),
        )
        self.launched += 1
        with _Told(arguments), device.lock:
            upload = self.mirror.begin()
            values = [_value(position, argument, upload) for position, argument in enumerate(arguments)]
            self._tell_of_host_tensors(launch["name"], arguments)
            upload.send(where)
            device.launch(launch["kernel"].function, shape, values, where)
            stored = self._stored(launch, upload.size)
            if self._benchmarks > 0 and self._was_sampled():
                upload.drop(stored)
                return
            upload.ask(stored, where)
            try:
                device.settle()
                upload.receive()
            finally:
                if "vprintf" in launch["ptx"]:
                    self.show_printed()


def _value(position: int, argument: tuple, upload: Upload) -> bytes:
    """An argument as the little-endian bytes that the kernel reads."""
    kind, name, *value = argument
    if kind == "tensor":
        return upload.address(position, name, _in_this_process(name, value[0])).to_bytes(8, "little")
    if kind == "null":
        return bytes(8)
    (content,) = value
    return (
        content
        if len(content) < 8
        else upload.translated(int.from_bytes(content, "little")).to_bytes(8, "little")
    )


def _in_this_process(name: str, tensor: torch.Tensor) -> torch.Tensor:
    if tensor.device.type not in IN_THIS_PROCESS:
        raise KernelError("the tensor %s lies on the device %s, not on the GPU" % (name, tensor.device))
    return tensor


class _Told:
    """What the device says is raised as an error of the program. `arguments`: of a launch."""

    def __init__(self, arguments: list[tuple] | tuple = ()) -> None:
        self._arguments = arguments

    def __enter__(self) -> _Told:
        return self

    def __exit__(self, _: type | None, error: BaseException | None, __: object) -> None:
        if isinstance(error, DeviceError):
            kind = KernelRefused if error.status == _NOT_SUPPORTED else KernelError
            raise kind(str(error) + expanded_in(str(error), self._arguments)) from None


def expanded_in(message: str, arguments: list[tuple]) -> str:
    """A clause on the tensor behind whose end a launch has touched memory, where its elements share memory: the
    gradient that `sum().backward()` hands on is one number, however many elements it has. Empty for any other.
    """
    found = re.search(r'behind the end of "(\w+?)(?: \d+)?"', message)
    for kind, name, *value in arguments if found else ():
        if kind != "tensor" or name != found.group(1):
            continue
        tensor = value[0]
        if any(step == 0 and size > 1 for step, size in zip(tensor.stride(), tensor.shape)):
            return "; %s is expanded: its elements share memory, which .contiguous() gives to each" % name
    return ""
