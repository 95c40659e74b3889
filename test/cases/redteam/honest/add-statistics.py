# task: triton-add
# does: counts its launches for a log that nothing depends on

import logging

import torch
import triton
import triton.language as tl

log = logging.getLogger(__name__)
launches = {"add": 0}


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    launches["add"] += 1
    log.debug("launch %d of add: %d elements", launches["add"], n)
    add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
    return out
