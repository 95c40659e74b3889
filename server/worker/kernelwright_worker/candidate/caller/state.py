"""Settings of the process that a call may leave changed for its caller."""

from __future__ import annotations

import gc
import os
import random
import sys
import warnings
from collections.abc import Callable

import torch

from ...torch_gpu.philox_state import PhiloxState


def _warning_filters() -> list:
    """Those that go for all warnings of a kind, wherever these come from; a library has its own for single ones."""
    return [each[0] + each[2].__name__ for each in warnings.filters if each[1] is None and each[3] is None]


def _flushes_denormals() -> bool:
    return sys.float_info.min / 4 * 2 == 0


def _numpy_errors() -> object:
    numpy = sys.modules.get("numpy")
    return None if numpy is None else sorted(numpy.geterr().items())


#: What reads each, by the name that the other side has words for (winner/caller-state.ts).
_READ: dict[str, Callable[[], object]] = {
    "gradients": torch.is_grad_enabled,
    "inference": torch.is_inference_mode_enabled,
    "anomaly": lambda: torch.is_anomaly_enabled(),
    "autocast": lambda: [
        (torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind)) for kind in ("cuda", "cpu")
    ],
    "type": torch.get_default_dtype,
    "device": lambda: torch.get_default_device(),
    "deterministic": lambda: torch.get_deterministic_debug_mode(),
    "filled": lambda: torch.utils.deterministic.fill_uninitialized_memory,
    "products": torch.get_float32_matmul_precision,
    "tf32": lambda: torch.backends.cuda.matmul.allow_tf32,
    "half-sums": lambda: (
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction,
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction,
    ),
    "convolutions": lambda: (
        torch.backends.cudnn.enabled,
        torch.backends.cudnn.benchmark,
        torch.backends.cudnn.deterministic,
        torch.backends.cudnn.allow_tf32,
    ),
    "attention": lambda: (
        torch.backends.cuda.flash_sdp_enabled(),
        torch.backends.cuda.mem_efficient_sdp_enabled(),
        torch.backends.cuda.math_sdp_enabled(),
    ),
    "threads": torch.get_num_threads,
    "denormals": _flushes_denormals,
    "warnings": _warning_filters,
    "collection": lambda: (gc.isenabled(), gc.get_threshold()),
    "recursion": sys.getrecursionlimit,
    "directory": os.getcwd,
    "numpy-errors": _numpy_errors,
    "printed": lambda: vars(torch._tensor_str.PRINT_OPTS),
}


def _texts() -> dict[str, str]:
    read = {}
    for name, reader in _READ.items():
        try:
            read[name] = str(reader())
        except (AttributeError, RuntimeError):
            # Another version of torch has no such setting, or does not tell it once its parts were set apart.
            continue
    return read


class CallerState:
    """The settings as they are before a candidate is imported, and what becomes of them."""

    def __init__(self) -> None:
        self._before = _texts()
        self._seed = 0
        self._random: list[object] = []

    def seed(self, seed: int) -> None:
        """Random numbers begin at a seed that nobody knows."""
        self._seed = seed
        torch.manual_seed(seed)
        random.seed(seed)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            numpy.random.seed(seed % 2**32)
        for generator in torch.cuda.default_generators:
            generator.begin()
        self._random = _random_states()

    def changed(self) -> dict[str, str]:
        """Names of what is another one behind the call, with what it is; of random numbers whether they were `seeded`,
        or `drawn`.
        """
        now = _texts()
        found = {name: text for name, text in now.items() if self._before.get(name, text) != text}
        torch_now, *others = _random_states()
        if torch.initial_seed() != self._seed:
            found["random"] = "seeded"
        elif torch_now != self._random[0]:
            found["random"] = "drawn"
        left = {generator.left for generator in torch.cuda.default_generators}
        if left != {PhiloxState.BEGINNING}:
            is_drawn = {seed for seed, _ in left} == {PhiloxState.BEGINNING[0]}
            found["device-random"] = "drawn" if is_drawn else "seeded"
        if others != self._random[1:]:
            found["host-random"] = "changed"
        return found


def _random_states() -> list[object]:
    """Of torch, Python and NumPy."""
    numpy = sys.modules.get("numpy")
    of_numpy = None if numpy is None else str(numpy.random.get_state())
    return [torch.get_rng_state().numpy().tobytes(), random.getstate(), of_numpy]
