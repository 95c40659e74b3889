"""Lets code that expects a GPU run on tensors in main memory: what asks for a CUDA device gets one, and the
tensor stays where it is.
"""

from __future__ import annotations

import contextlib
import math
import types
from collections.abc import Callable, Iterable

import torch
from torch.overrides import TorchFunctionMode

from ..torch_gpu.native_answers import EXCHANGES, NATIVE
from ..torch_gpu.nvidia_smi import CUDA_VERSION
from ..torch_gpu.philox_state import PhiloxState
from .caller import streams
from .finished_stream import FinishedStream
from .counting.torch_work import TorchWork


def _is_cuda(value: object) -> bool:
    return (isinstance(value, torch.device) and value.type == "cuda") or (
        isinstance(value, str) and value.split(":")[0] == "cuda"
    )


def _names_host(given: Iterable[object]) -> bool:
    """Whether one of the arguments of `to` is the host as a device."""
    return any(str(each) == "cpu" for each in given if isinstance(each, (str, torch.device)))


# What torch passes for a property is its getter, a new object at each access that is equal to the others.
_IS_CUDA = torch.Tensor.is_cuda.__get__
_DEVICE = torch.Tensor.device.__get__


class VirtualDevice(TorchFunctionMode):
    """While active, `device="cuda"` means main memory, and every tensor says that it is on the GPU."""

    def __init__(self, work: TorchWork) -> None:
        """`work`: is told of copies to and from the host, and paused while this does something itself."""
        super().__init__()
        self._work = work
        self._apart = work.paused
        #: What memory without contents holds: the bytes of one element, by the type of the elements.
        self.patterns = {}
        # Size, pattern and version of memory that holds nothing yet, by address.
        self._fresh = {}

    def __torch_function__(
        self, func: Callable, types: Iterable[type], args: tuple = (), kwargs: dict | None = None
    ) -> object:
        kwargs = dict(kwargs or {})
        if func is torch.device:
            # A program compares devices: what it names stays what it is.
            return func(*args, **kwargs)
        if func == _IS_CUDA:
            return True
        if func == _DEVICE:
            return torch.device("cuda", 0)
        if func is torch.Tensor.get_device:
            return 0
        if func in (torch.Tensor.cuda, torch.Tensor.pin_memory):
            return args[0]
        if func is torch.Tensor.backward:
            # What the backward pass calls is on the GPU as well.
            with self:
                return torch.autograd.backward(args[0], *args[1:], **kwargs)
        if func in _COPYING or (func is torch.Tensor.to and _names_host((*args[1:], *kwargs.values()))):
            self._work.note(self._work.host.to_host, args[0])
        is_given = func is torch.tensor and _is_cuda(kwargs.get("device"))
        kwargs.pop("pin_memory", None)
        if _is_cuda(kwargs.get("device")):
            kwargs["device"] = "cpu"
        if any(_is_cuda(argument) for argument in args):
            args = tuple("cpu" if _is_cuda(argument) else argument for argument in args)
        result = func(*args, **kwargs)
        if is_given:
            self._work.note(self._work.host.to_device, result)
        if (
            func in _EMPTY
            and result.device.type == "cpu"
            and result.layout is torch.strided
            and "out" not in kwargs
        ):
            with self._apart():
                self._fill(result)
        elif func in _ALIASES:
            for argument in args:
                if isinstance(argument, torch.Tensor) and argument.layout is torch.strided:
                    self._fresh.pop(argument.untyped_storage().data_ptr(), None)
        return result

    def note_unwritten(self, tensor: torch.Tensor) -> None:
        """The tensor's memory holds the pattern of its type and nothing else so far."""
        storage, version = tensor.untyped_storage(), _version_of(tensor)
        self._fresh.pop(storage.data_ptr(), None)
        if version is not None and storage.nbytes() > 0:
            self._fresh[storage.data_ptr()] = (
                storage.nbytes(),
                _bytes_of(storage)[: tensor.element_size()].clone(),
                version,
            )

    def is_unwritten(self, tensor: torch.Tensor) -> bool:
        """Whether the tensor's memory was noted as unwritten and nothing was stored there since: torch counts
        what it stores, and what others store can be seen. The pattern itself may have been stored: the
        count tells.
        """
        storage = tensor.untyped_storage()
        nbytes, pattern, version = self._fresh.get(storage.data_ptr(), (0, None, None))
        if nbytes != storage.nbytes() or nbytes == 0 or version != _version_of(tensor):
            return False
        return bool((_bytes_of(storage).view(-1, len(pattern)) == pattern).all())

    def unwritten_elements(self, tensor: torch.Tensor) -> int:
        """How many elements of the tensor's memory hold what it held when it was noted as unwritten."""
        storage = tensor.untyped_storage()
        nbytes, pattern, _ = self._fresh.get(storage.data_ptr(), (0, None, None))
        if nbytes != storage.nbytes() or nbytes == 0:
            return 0
        return int((_bytes_of(storage).view(-1, len(pattern)) == pattern).all(dim=1).sum())

    def _fill(self, tensor: torch.Tensor) -> None:
        """Memory that nobody wrote must not look like a result."""
        pattern = self.patterns.get(tensor.dtype)
        if pattern is None:
            tensor.fill_(
                math.nan
                if tensor.is_floating_point() or tensor.is_complex()
                else torch.iinfo(tensor.dtype).max
            )
        elif tensor.untyped_storage().nbytes() > 0:
            _bytes_of(tensor.untyped_storage()).view(-1, len(pattern)).copy_(
                torch.frombuffer(bytearray(pattern), dtype=torch.uint8)
            )
        self.note_unwritten(tensor)


# What gives the host all elements.
_COPYING = (torch.Tensor.cpu, torch.Tensor.tolist)

_EMPTY = (
    torch.empty,
    torch.empty_like,
    torch.empty_strided,
    torch.Tensor.new_empty,
    torch.Tensor.new_empty_strided,
)

# Through what these give, memory can be written without torch counting it.
_ALIASES = (
    torch.Tensor.numpy,
    torch.Tensor.__array__,
    torch.Tensor.__dlpack__,
    torch.Tensor.untyped_storage,
    torch.Tensor.storage,
    torch.Tensor.set_,
    torch.Tensor.data.__get__,
)


def _version_of(tensor: torch.Tensor) -> int | None:
    """How often torch has stored to the memory; None where it does not count."""
    return None if tensor.is_inference() else tensor._version


def _bytes_of(storage: torch.UntypedStorage) -> torch.Tensor:
    return torch.empty(0, dtype=torch.uint8).set_(storage)


class _Stream(FinishedStream):
    """The stream of tensors in main memory."""

    device = torch.device("cpu")
    device_index = 0


class _Device(contextlib.nullcontext):
    """The only device. Must be a class: torch calls issubclass on it."""

    idx = 0


def answers(capability: int, facts: dict) -> dict:
    """What torch.cuda says about the device, by name of the function. `facts` holds name, multiprocessors,
    threadsPerMultiprocessor, sharedBytesPerBlock and secondLevelBytes of the GPU that stands for the
    target, and the virtual GPU's memory in bytes.
    """
    properties = types.SimpleNamespace(
        name=facts["name"],
        major=capability // 10,
        minor=capability % 10,
        multi_processor_count=facts["multiprocessors"],
        warp_size=32,
        total_memory=facts["memory"],
        max_threads_per_multi_processor=facts["threadsPerMultiprocessor"],
        regs_per_multiprocessor=65536,
        max_threads_per_block=1024,
        shared_memory_per_block=49152,
        shared_memory_per_block_optin=facts["sharedBytesPerBlock"],
        shared_memory_per_multiprocessor=facts["sharedBytesPerBlock"] + 1024,
        L2_cache_size=facts["secondLevelBytes"],
        gcnArchName="",
        is_integrated=0,
        is_multi_gpu_board=0,
    )
    return {
        "current_device": lambda: 0,
        "set_device": lambda _: None,
        "synchronize": lambda *_, **__: None,
        "empty_cache": lambda: None,
        "get_device_name": lambda *_: facts["name"],
        "get_device_capability": lambda *_: (capability // 10, capability % 10),
        "get_device_properties": lambda *_: properties,
        "current_stream": lambda *_: _STREAM,
        "default_stream": lambda *_: _STREAM,
        "Stream": _Stream,
        "device": _Device,
        "device_of": _Device,
        "stream": lambda *_: contextlib.nullcontext(),
        "set_stream": lambda _: None,
        "is_current_stream_capturing": lambda: False,
        "manual_seed": lambda _: None,
        "manual_seed_all": lambda _: None,
        "init": lambda: None,
        "is_bf16_supported": lambda *_, **__: capability >= 80,
        "nvtx": _Nvtx,
        "ipc_collect": lambda: None,
        "reset_peak_memory_stats": lambda *_: None,
        "reset_accumulated_memory_stats": lambda *_: None,
        "mem_get_info": lambda *_: (properties.total_memory, properties.total_memory),
    }


_STREAM = _Stream()


class _Nvtx:
    """Marks for a profiler that watches the hardware: nobody looks."""

    mark = range_start = range_end = staticmethod(lambda *_: 0)
    range_push = range_pop = staticmethod(lambda *_: 0)
    range = staticmethod(lambda *_, **__: contextlib.nullcontext())


#: What torch.accelerator says, which knows the one accelerator by its kind.
_ACCELERATOR = {
    "is_available": lambda: True,
    "device_count": lambda: 1,
    "current_accelerator": lambda *_, **__: torch.device("cuda"),
    "current_device_index": lambda: 0,
    "current_device_idx": lambda: 0,
    "set_device_index": lambda _: None,
    "set_device_idx": lambda _: None,
    "current_stream": lambda *_: _STREAM,
    "set_stream": lambda _: None,
    "synchronize": lambda *_: None,
}


def install(capability: int, facts: dict) -> None:
    """Replaces the questions that torch.cuda answers about a device."""
    generator = PhiloxState()
    present = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        **EXCHANGES,
        **_of_generator(generator),
    }
    present = {**present, **streams.ANSWERS}
    for name, answer in {**answers(capability, facts), **present}.items():
        setattr(torch.cuda, name, answer)
    for name, answer in {**_ACCELERATOR, **streams.ACCELERATOR_ANSWERS}.items():
        setattr(torch.accelerator, name, answer)
    # Libraries ask for these without torch.cuda between.
    for name, answer in NATIVE.items():
        setattr(torch._C, name, answer)
    torch._C._cuda_getCurrentRawStream = lambda _: streams.streams.current.cuda_stream
    torch.cuda.default_generators = (generator,)
    # Memory is given out again by nobody before its holder lets go of it.
    torch.Tensor.record_stream = lambda _tensor, _stream: None
    torch.version.cuda = CUDA_VERSION
    # Otherwise the backward passes of autograd would run outside of the mode.
    torch.autograd.has_torch_function = lambda _: False
    # Compiled functions run as they are written: what is judged is the kernel that the source launches.
    torch.compile = lambda model=None, **_: model if model is not None else lambda function: function


def _of_generator(generator: PhiloxState) -> dict:
    """What torch.cuda says about random numbers, by name of the function."""
    return {
        "get_rng_state": lambda *_: generator.get_state(),
        "get_rng_state_all": lambda: [generator.get_state()],
        "set_rng_state": lambda state, *_: generator.set_state(state),
        "set_rng_state_all": lambda states: generator.set_state(states[0]),
        "manual_seed": lambda seed: generator.manual_seed(seed),
        "manual_seed_all": lambda seed: generator.manual_seed(seed),
        "seed": generator.seed,
        "seed_all": generator.seed,
        "initial_seed": generator.initial_seed,
    }


def notice_waits(wait: Callable[[], None]) -> None:
    """Behind `install`: has each call that waits for the device tell so."""

    def synchronize(*_: object, **__: object) -> None:
        streams.streams.wait_for_all()
        wait()

    torch.cuda.synchronize = torch.accelerator.synchronize = synchronize
