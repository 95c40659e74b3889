"""torch.cuda for tensors of the virtual GPU: what torch's CPU build lacks of it, answered for the modelled
GPU.
"""

from __future__ import annotations

import ctypes
import types
from typing import Any

import torch
from torch.autograd import ProfilerState

from ..candidate.finished_stream import FinishedStream
from .native_answers import EXCHANGES, NATIVE
from .nvidia_smi import CUDA_VERSION


class Stream(FinishedStream, torch.Stream):
    """The stream of tensors on `cuda`."""

    def __new__(
        cls, device: torch.device | str | int | None = None, priority: int = 0, **_: object
    ) -> Stream:
        return super().__new__(cls, device="cuda", priority=0)


def install(library: ctypes.CDLL, facts: dict) -> None:
    """Makes torch.cuda speak of a GPU that is there. `library`: server/torch, loaded; `facts`: of the
    modelled GPU.
    """
    # The first generator that is made is the default one.
    generator = torch.Generator(device="cuda")
    stream = Stream()
    torch.cuda._initialized = True
    torch.cuda.default_generators = (generator,)
    answers = {
        **_device_answers(facts),
        "Stream": Stream,
        "ExternalStream": Stream,
        "current_stream": lambda *_: stream,
        "default_stream": lambda *_: stream,
        "is_current_stream_capturing": lambda: False,
        "cudart": lambda: _PROFILER,
    }
    memory = _memory_answers(library, facts["memory"])
    for owner, named in ((torch.cuda, {**answers, **memory}), (torch.cuda.memory, memory)):
        for name, answer in named.items():
            setattr(owner, name, answer)
    torch.version.cuda = CUDA_VERSION
    torch._C._has_cuda = True
    for name, answer in NATIVE.items():
        setattr(torch._C, name, answer)
    # torch would warn that cuDNN is missing from its build; on the virtual GPU it is.
    torch.backends.cudnn.is_acceptable = lambda _: False
    _make_storages()
    _profile_the_host()


def _profile_the_host() -> None:
    """torch's profilers note what the CPU does: with events of a GPU each operation would warn that its build
    of the profiler has none.
    """
    profile = torch.autograd.profiler.profile
    made = profile.__init__

    def __init__(self: Any, *places: Any, **named: Any) -> None:
        made(self, *places, **named)
        if self.profiler_kind == ProfilerState.KINETO_GPU_FALLBACK:
            self.profiler_kind = ProfilerState.KINETO

    profile.__init__ = __init__


#: Of the CUDA runtime as Python sees it: switches for a profiler, which nobody needs here.
_PROFILER = types.SimpleNamespace(
    cudaProfilerStart=lambda: 0, cudaProfilerStop=lambda: 0, cudaDeviceSynchronize=lambda: 0
)


def _device_answers(facts: dict) -> dict:
    architecture = "sm_%d" % facts["capability"]
    return {
        **EXCHANGES,
        "_lazy_init": lambda: None,
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "set_device": _check_device,
        "get_arch_list": lambda: [architecture],
        "get_gencode_flags": lambda: (
            "-gencode compute=compute_%d,code=%s" % (facts["capability"], architecture)
        ),
        "can_device_access_peer": lambda *_: False,
    }


def _check_device(device: torch.device | str | int | None) -> None:
    index = torch.device(device).index if isinstance(device, (str, torch.device)) else device
    if index is not None and index > 0:
        raise RuntimeError(
            "CUDA error: invalid device ordinal: the virtual GPU is cuda:0, there is no cuda:%d" % index
        )


def _memory_answers(library: ctypes.CDLL, total: int) -> dict:
    def held(*_: object) -> int:
        return library.kernelwright_held_bytes(False)

    def most(*_: object) -> int:
        return library.kernelwright_held_bytes(True)

    def reset(*_: object) -> None:
        library.kernelwright_reset_most_held_bytes()

    def statistics(*_: object) -> dict:
        return {
            "%s_bytes.all.%s" % (kind, when): value
            for kind in ("allocated", "active", "reserved", "requested")
            for when, value in (("current", held()), ("peak", most()))
        }

    return {
        "memory_allocated": held,
        "memory_reserved": held,
        "max_memory_allocated": most,
        "max_memory_reserved": most,
        "reset_peak_memory_stats": reset,
        "reset_max_memory_allocated": reset,
        "memory_stats": statistics,
        "memory_summary": lambda *_, **__: "%d bytes are allocated, at most %d were" % (held(), most()),
        "mem_get_info": lambda *_: (max(0, total - held()), total),
        "empty_cache": lambda: None,
        "set_per_process_memory_fraction": lambda *_, **__: None,
    }


def _make_storages() -> None:
    """torch.UntypedStorage(size, device="cuda") and the like, by which torch.load makes tensors."""
    make = torch.UntypedStorage.__new__

    def __new__(
        cls: type, *sizes: Any, device: torch.device | str | int | None = None, **named: Any
    ) -> torch.UntypedStorage:
        place = None if device is None else torch.device(device)
        if place is None or place.type != "cuda":
            return make(cls, *sizes, **named) if device is None else make(cls, *sizes, device=device, **named)
        size = sizes[0] if sizes else 0
        if not isinstance(size, int):
            return torch.tensor(list(size), dtype=torch.uint8, device=place).untyped_storage()
        return torch.empty(size, dtype=torch.uint8, device=place).untyped_storage()

    torch.UntypedStorage.__new__ = staticmethod(__new__)
