"""Triton without a GPU: a driver that compiles for the named target and hands every launch to a callback."""
from __future__ import annotations

import re
import struct

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import CompiledKernel

_PACK = {"i1": "<?", "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u1": "<?", "u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q",
         "fp16": "<e", "fp32": "<f", "f32": "<f", "fp64": "<d"}
_ENTRY_PARAMETERS = re.compile(r"\.entry\s+\S+?\s*\((.*?)\)", re.S)


class Unsupported(Exception):
    """The launch needs something that the virtual GPU cannot be given."""


class VirtualDriver:
    """Stands where Triton expects its CUDA driver."""

    def __init__(self, capability, facts, on_launch):
        self._capability = capability
        self._on_launch = on_launch
        self._facts = facts
        self._compiling = []
        self.utils = self
        #: What the autotuner chose, as text, in the order of choosing.
        self.choices = []
        _remember_kernel_while_loading(self._compiling)

    def launcher_cls(self, src, metadata):
        kernel = self._compiling[-1]
        return lambda *launch: self._launch(kernel, src, launch)

    def _launch(self, kernel, src, launch):
        with torch._C.DisableTorchFunction():
            self._on_launch(describe_launch(kernel, src, launch[:3], launch[9:]))

    def load_binary(self, name, kernel, shared, device):
        return 0, 0, 0, 0, 1024

    def unload_module(self, _):
        """Nothing was loaded."""

    def get_device_properties(self, _):
        return {"max_shared_mem": self._facts["sharedBytesPerBlock"], "multiprocessor_count": self._facts["multiprocessors"], "max_num_regs": 65536,
                "warpSize": 32, "sm_clock_rate": 1, "mem_clock_rate": 1, "mem_bus_width": 1}

    def get_current_target(self):
        return GPUTarget("cuda", self._capability, 32)

    def get_current_device(self):
        return 0

    def set_current_device(self, _):
        """There is one device."""

    def get_current_stream(self, _=0):
        return 0

    def get_device_capability(self, _=0):
        return self._capability // 10, self._capability % 10

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_device_interface(self):
        return torch.cuda

    def get_benchmarker(self):
        return first_configuration()

    def is_active(self):
        return True


def first_configuration():
    """
    A benchmarker for the autotuner that runs nothing: without a clock no configuration is faster, so the first one that the
    kernel's author wrote wins.
    """
    asked = []

    def rank(_, quantiles=None, **__):
        asked.append(None)
        value = float(len(asked))
        return [value] * len(quantiles) if quantiles else value

    return rank


def _remember_kernel_while_loading(stack):
    original = CompiledKernel._init_handles

    def init_handles(kernel):
        stack.append(kernel)
        try:
            return original(kernel)
        finally:
            stack.pop()

    CompiledKernel._init_handles = init_handles


def describe_launch(kernel, src, grid, arguments):
    """A launch as data: PTX, name, grid, warps, shared bytes, and arguments as ("tensor", tensor), ("null",) or ("scalar", bytes)."""
    ptx = kernel.asm["ptx"]
    described = []
    for kind, value in _flat(list(src.signature.values()), list(arguments)):
        if kind == "constexpr":
            continue
        described.append(_argument(kind, value))
    # What follows the kernel's own parameters are Triton's scratch pointers; a kernel that uses scratch memory says how much.
    if kernel.metadata.global_scratch_size or getattr(kernel.metadata, "profile_scratch_size", 0):
        raise Unsupported("kernels that need scratch memory are not supported")
    match = _ENTRY_PARAMETERS.search(ptx)
    wanted = match.group(1).count(".param") if match else len(described)
    described += [("null",)] * (wanted - len(described))
    return {"ptx": ptx, "name": kernel.metadata.name, "grid": [int(size) for size in grid], "warps": int(kernel.metadata.num_warps),
            "shared": int(kernel.metadata.shared), "clusters": int(getattr(kernel.metadata, "num_ctas", 1) or 1), "arguments": described}


def _flat(kinds, values):
    for kind, value in zip(kinds, values):
        if isinstance(kind, tuple):
            yield from _flat(list(kind), list(value))
        else:
            yield kind, value


def _argument(kind, value):
    if kind.startswith("*"):
        if value is None:
            return ("null",)
        if not isinstance(value, torch.Tensor):
            value = getattr(value, "base", value)
        if not isinstance(value, torch.Tensor):
            raise Unsupported("a pointer argument must be a tensor, not %s" % type(value).__name__)
        return ("tensor", value)
    if kind == "bf16":
        return ("scalar", struct.pack("<f", float(value))[2:])
    if kind not in _PACK:
        raise Unsupported("arguments of type %s are not supported" % kind)
    return ("scalar", struct.pack(_PACK[kind], value))


def install(capability, facts, on_launch):
    """Makes the virtual driver Triton's active one."""
    driver = VirtualDriver(capability, facts, on_launch)
    triton.runtime.driver.set_active(driver)
    if hasattr(triton, "knobs") and hasattr(triton.knobs, "autotuning"):
        triton.knobs.autotuning.listener = lambda **choice: driver.choices.append("autotune of %s took its first configuration: %s" % (choice["fn"].__name__, choice["best_config"]))
    return driver
