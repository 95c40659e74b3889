# task: triton-add
# does: works on a stream of its own, which waits for the caller's and is waited for

import torch
import triton
import triton.language as tl

side = {}


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


def add(a, b):
    out = torch.empty_like(a)
    n = a.numel()
    if a.device not in side:
        side[a.device] = torch.cuda.Stream(), torch.cuda.Event()
    stream, done = side[a.device]
    caller = torch.cuda.current_stream()
    stream.wait_stream(caller)
    with torch.cuda.stream(stream):
        add_kernel[(triton.cdiv(n, 512),)](a, b, out, n, BLOCK=512)
        done.record()
    out.record_stream(stream)
    caller.wait_event(done)
    return out
