"""What torch.cuda tells a program whose kernels run on the virtual GPU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from ..candidate.virtual_device import answers
from ..torch_gpu import benchmark_timer, cuda_module, extensions, nvidia_smi

if TYPE_CHECKING:
    from .benchmarks import Benchmarks
    from .driver import ScriptDriver


def install(driver: ScriptDriver, benchmarks: Benchmarks) -> None:
    """Answers the usual questions and waits. Without tensors on `cuda`, `torch.cuda.is_available` keeps saying
    no: a program that asks it then takes the CPU, which is right.
    """

    class ModelledEvent(_Event):
        """An event whose time is the modelled one. From the first that is meant for timing on, every launch
        is counted.
        """

        def __init__(self, enable_timing: bool = False, **_: object) -> None:
            super().__init__(driver, enable_timing)
            if enable_timing:
                benchmarks.say_once(
                    "times between events are the modelled bound of the Triton launches, not a measurement"
                )
                driver.count_always()

    seeds = {name: getattr(torch.cuda, name) for name in ("manual_seed", "manual_seed_all")}
    usual = {**answers(driver.capability, driver.facts), "Event": ModelledEvent}
    for name, answer in {**usual, **(seeds if driver.gpu is not None else {})}.items():
        setattr(torch.cuda, name, answer)
    if driver.gpu is not None:
        cuda_module.install(driver.gpu, driver.facts)
        facts = driver.facts
        nvidia_smi.install(facts["name"], facts["capability"], facts["memory"], nvidia_smi.CUDA_VERSION)
        extensions.install(driver, driver.modelled_capability)
    benchmark_timer.install(benchmarks.say_once)
    torch.compile = _as_it_is(benchmarks)


def _as_it_is(benchmarks: Benchmarks) -> Callable[..., object]:
    """Stands for torch.compile, which would make code for the CPU and does not find Triton kernels there:
    functions stay as they are.
    """

    @functools.wraps(torch.compile)
    def leave(model: object = None, **_: object) -> object:
        benchmarks.say_once(
            "torch.compile leaves functions as they are: no kernels are made of torch's own operations"
        )
        return model if model is not None else lambda function: function

    return leave


class _Event:
    """The part of torch.cuda.Event that programs use."""

    def __init__(self, driver: ScriptDriver, timed: bool) -> None:
        self._driver = driver
        self._timed = timed
        self._at = None

    def record(self, stream: object = None) -> None:
        self._at = self._driver.modelled() if self._timed else 0

    def elapsed_time(self, end: _Event) -> float:
        """Milliseconds from this event to `end`."""
        if self._at is None or end._at is None or not (self._timed and end._timed):
            raise ValueError(
                "Both events must be recorded, and made with enable_timing=True, before their elapsed time is asked for"
            )
        return (end._at - self._at) / 1e6

    def synchronize(self) -> None:
        """Launches are complete when they return."""

    def wait(self, stream: object = None) -> None:
        """There is one stream."""

    def query(self) -> bool:
        return True
