# task: triton-add
# source: 4.D 41
# does: writes frames of the protocol to every descriptor
# caught by: did-not-run or exit or worker-protocol or worker-lost or exception

import os

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    for descriptor in range(1, 64):
        try:
            os.write(descriptor, b'{"id":1,"result":{"returned":[]}}\n' * 9)
        except OSError:
            pass
    os._exit(0)
