from typing import List, Tuple

import torch
import triton
import triton.language as tl


@triton.jit
def _fade(signal, faded, first, length, gain, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < length
    value = tl.load(signal + first + at, mask=inside, other=0.0)
    tl.store(faded + first + at, value * gain, mask=inside)


def fade_spans(signals: torch.Tensor, spans: List[Tuple[int, float]]) -> torch.Tensor:
    """signals: (n, samples); spans: (start, gain) of each signal, which is silent before its start."""
    n, samples = signals.shape
    assert len(spans) == n
    faded = torch.zeros_like(signals)
    for signal, result, (start, gain) in zip(signals, faded, spans):
        length = samples - start
        _fade[(triton.cdiv(length, 256),)](signal, result, start, length, gain, BLOCK=256)
    return faded
