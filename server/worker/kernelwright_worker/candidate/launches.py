"""Triton without a GPU: a driver that compiles for the named target and hands every launch to a callback."""

from __future__ import annotations

import ctypes
import re
import struct
import types

import torch
import triton
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import CompiledKernel
from triton.runtime import _allocation

from . import late_assembly
from .caller.streams import streams
from .configurations import Configurations
from .diagnostics import Unsupported
from ..triton_versions import earlier_names

try:
    from triton.backends.driver import decompose_descriptor, expand_signature, wrap_handle_tensordesc_impl
except ImportError:
    from ..triton_versions.descriptors import (
        decompose_descriptor,
        expand_signature,
        wrap_handle_tensordesc_impl,
    )

_FLOATS = ("fp32", "f32", "bf16")
_PACK = {
    "i1": "<?",
    "i8": "<b",
    "i16": "<h",
    "i32": "<i",
    "i64": "<q",
    "u1": "<?",
    "u8": "<B",
    "u16": "<H",
    "u32": "<I",
    "u64": "<Q",
    "fp16": "<e",
    "fp64": "<d",
}
#: What Triton makes on the way to PTX.
_STAGES = ("ttir", "ttgir", "llir")
_ENTRY_PARAMETERS = re.compile(r"\.entry\s+\S+?\s*\((.*?)\)", re.S)


class VirtualDriver:
    """Stands where Triton expects its CUDA driver. `on_launch` is given each launch as `describe_launch`
    writes it.
    """

    def __init__(self, capability: int, facts: dict, on_launch: Callable[[dict], None]) -> None:
        self._capability = capability
        self._on_launch = on_launch
        self._facts = facts
        #: The kernels whose handles are being made, the innermost last.
        self.loading = []
        self.utils = self
        #: What the autotuner chose, as text, in the order of choosing.
        self.choices = []
        self.configurations = Configurations(self.choices)
        _remember_kernel_while_loading(self.loading)
        earlier_names.install()

    def launcher_cls(self, src: Any, metadata: Any) -> Launcher:
        return Launcher(self.loading[-1], src, self._launch)

    def _launch(self, launch: dict) -> None:
        with torch._C.DisableTorchFunction():
            self._on_launch(launch)

    def load_binary(
        self, name: str, kernel: bytes, shared: int, device: int
    ) -> tuple[int, int, int | None, int | None, int]:
        """The module, its kernel, registers and spilled words of a thread (None: they are found out later), and the
        most threads of a block.
        """
        registers, spilled = late_assembly.facts_of(kernel)
        return 0, 0, registers, spilled, 1024

    def unload_module(self, _: int) -> None:
        """Nothing was loaded."""

    def get_device_properties(self, _: int) -> dict:
        return {
            "max_shared_mem": self._facts["sharedBytesPerBlock"],
            "multiprocessor_count": self._facts["multiprocessors"],
            "max_num_regs": 65536,
            "warpSize": 32,
            "sm_clock_rate": 1,
            "mem_clock_rate": 1,
            "mem_bus_width": 1,
        }

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", self._capability, 32)

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, _: int) -> None:
        """There is one device."""

    def get_current_stream(self, _: int = 0) -> int:
        return streams.current.cuda_stream

    def get_device_capability(self, _: int = 0) -> tuple[int, int]:
        return self._capability // 10, self._capability % 10

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cuda", 0)

    def get_device_interface(self) -> types.ModuleType:
        return torch.cuda

    def get_benchmarker(self) -> Callable[..., list[float] | float]:
        return self.configurations.rank

    def is_active(self) -> bool:
        return True


def _remember_kernel_while_loading(stack: list[CompiledKernel]) -> None:
    original = CompiledKernel._init_handles

    def init_handles(kernel: CompiledKernel) -> None:
        stack.append(kernel)
        try:
            return original(kernel)
        finally:
            stack.pop()

    CompiledKernel._init_handles = init_handles


class Launcher:
    """Called as Triton calls its own launcher: grid, stream, function, two kinds of metadata, two hooks, then
    the kernel's arguments. Sends a launch as data: kernel, ptx, name, grid, warps, shared (bytes),
    clusters, cooperative (all blocks must be resident) and arguments as ("tensor", name, tensor), ("null",
    name) or ("scalar", name, bytes).
    """

    def __init__(self, kernel: CompiledKernel, src: Any, send: Callable[[dict], None]) -> None:
        metadata, ptx = kernel.metadata, kernel.asm["ptx"]
        if getattr(metadata, "profile_scratch_size", 0):
            raise Unsupported("kernels that were compiled for Triton's own profiler are not supported")
        described = getattr(metadata, "tensordesc_meta", None)
        self._send = send
        self._kinds = [
            (name, kind)
            for name, value in src.signature.items()
            for kind in expand_signature([value], described, "nvTmaDesc")
        ]
        self._take = wrap_handle_tensordesc_impl(
            self._take_plain, src.signature, described, _plain_descriptor
        )
        self._scratch = metadata.global_scratch_size, metadata.global_scratch_align
        match = _ENTRY_PARAMETERS.search(ptx)
        self._wanted = match.group(1).count(".param") if match else 0
        self._fixed = {
            "kernel": kernel,
            "ptx": ptx,
            "ir": {stage: kernel.asm.get(stage) for stage in _STAGES},
            "name": metadata.name,
            "warps": int(metadata.num_warps),
            "shared": int(metadata.shared),
            "clusters": int(getattr(metadata, "num_ctas", 1) or 1),
            "cooperative": bool(getattr(metadata, "launch_cooperative_grid", False)),
        }

    def __call__(self, *launch: Any) -> None:
        metadata, enter, leave = launch[6:9]
        if enter is not None:
            enter(metadata)
        # A grid without blocks is no launch, and no error either.
        if min(launch[:3]) > 0:
            streams.launched(int(launch[3] or 0))
            self._take([int(size) for size in launch[:3]], launch[9:])
        if leave is not None:
            leave(metadata)

    def _take_plain(self, grid: list[int], values: Iterable) -> None:
        arguments = [
            _argument(name, kind, value)
            for name, kind, value in _flat(self._kinds, values)
            if kind != "constexpr"
        ]
        # What follows the kernel's own parameters are pointers to Triton's scratch memory, for the program
        # and for its profiler.
        missing = max(0, self._wanted - len(arguments))
        arguments += [("null", "scratch")] * missing
        size, alignment = self._scratch
        if size:
            blocks = grid[0] * grid[1] * grid[2] * self._fixed["clusters"]
            # From the allocator that the program gave to triton.set_allocator.
            arguments[-missing] = (
                "tensor",
                "scratch",
                _tensor_of(_allocation._allocator.get()(blocks * size, alignment, 0)),
            )
        self._send(dict(self._fixed, grid=grid, arguments=arguments))


def _plain_descriptor(descriptor: object, metadata: Any, _: object) -> list:
    """A tensor descriptor of the host as the arguments that stand for it; one of the hardware's own is
    refused.
    """
    if metadata is not None:
        raise Unsupported("tensor descriptors in the hardware's own form (TMA) are not supported")
    return decompose_descriptor(descriptor)


def _flat(kinds: Iterable[tuple], values: Iterable) -> Iterator[tuple]:
    """Name, type and value of each argument, tuples taken apart."""
    for (name, kind), value in zip(kinds, values):
        if isinstance(kind, tuple):
            yield from _flat(
                [("%s[%d]" % (name, index), each) for index, each in enumerate(kind)], list(value)
            )
        else:
            yield name, kind, value


def _argument(name: str, kind: str, value: Any) -> tuple:
    if kind.startswith("*"):
        return ("null", name) if value is None else ("tensor", name, _tensor_of(value))
    if kind in _FLOATS:
        # As a conversion of C does, which makes infinity of what is too large; struct refuses that.
        content = bytes(ctypes.c_float(value))
        return ("scalar", name, content[2:] if kind == "bf16" else content)
    if kind not in _PACK:
        raise Unsupported("arguments of type %s are not supported" % kind)
    return ("scalar", name, struct.pack(_PACK[kind], value))


def _tensor_of(value: Any) -> torch.Tensor:
    if not isinstance(value, torch.Tensor):
        value = getattr(value, "base", value)
    if not isinstance(value, torch.Tensor):
        raise Unsupported("a pointer argument must be a tensor, not %s" % type(value).__name__)
    return value


def install(capability: int, facts: dict, on_launch: Callable[[dict], None]) -> VirtualDriver:
    """Makes the virtual driver Triton's active one."""
    driver = VirtualDriver(capability, facts, on_launch)
    late_assembly.install()
    driver.configurations.watch()
    triton.runtime.driver.set_active(driver)
    if hasattr(triton, "knobs") and hasattr(triton.knobs, "autotuning"):
        triton.knobs.autotuning.listener = lambda **choice: driver.choices.append(
            driver.configurations.told(choice["fn"].__name__, choice["best_config"])
        )
    return driver
