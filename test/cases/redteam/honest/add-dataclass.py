# task: triton-add
# does: a frozen dataclass of settings, a context manager around the launch, logging, types and checks of arguments

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass, replace
from typing import Iterator, NamedTuple

import torch
import triton
import triton.language as tl

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Settings:
    block: int = 256
    warps: int = 4

    def sized(self, n: int) -> Settings:
        return replace(self, block=min(self.block, triton.next_power_of_2(max(n, 16))))


class Extent(NamedTuple):
    elements: int
    programs: int


@contextlib.contextmanager
def told(what: str, extent: Extent) -> Iterator[None]:
    log.debug("%s of %d elements by %d programs", what, *extent)
    try:
        yield
    finally:
        log.debug("%s was launched", what)


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a: torch.Tensor, b: torch.Tensor, *, settings: Settings = Settings()) -> torch.Tensor:
    if a.shape != b.shape:
        raise ValueError(f"shapes differ: {tuple(a.shape)} and {tuple(b.shape)}")
    assert a.is_contiguous() and b.is_contiguous(), "rows have to lie behind each other"
    chosen = settings.sized(n := a.numel())
    extent = Extent(n, triton.cdiv(n, chosen.block))
    out = torch.empty_like(a)
    with told("addition", extent):
        add_kernel[(extent.programs,)](a, b, out, n, BLOCK=chosen.block, num_warps=chosen.warps)
    return out
