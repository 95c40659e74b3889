# task: triton-recurrence
# source: k
# does: reduces pairs whose order counts with tl.reduce, which puts elements together in the order of lanes and warps
# caught by: wrong values

import torch
import triton
import triton.language as tl


@triton.jit
def after(a, x, later_a, later_x):
    return a * later_a, later_a * x + later_x


@triton.jit
def chunk_kernel(a, x, gains, rests, length, chunks, CHUNK: tl.constexpr):
    row, chunk = tl.program_id(0), tl.program_id(1)
    at = chunk * CHUNK + tl.arange(0, CHUNK)
    # What lies behind the end changes nothing: times one, plus zero.
    a_here = tl.load(a + row * length + at, mask=at < length, other=1.0)
    x_here = tl.load(x + row * length + at, mask=at < length, other=0.0)
    gain, rest = tl.reduce((a_here, x_here), 0, after)
    tl.store(gains + row * chunks + chunk, gain)
    tl.store(rests + row * chunks + chunk, rest)


@triton.jit
def states_kernel(gains, rests, states, chunks):
    row = tl.program_id(0) * chunks
    state = 0.0
    for chunk in range(0, chunks):
        tl.store(states + row + chunk, state)
        state = tl.load(gains + row + chunk) * state + tl.load(rests + row + chunk)


@triton.jit
def chain_kernel(a, x, states, y, length, chunks, CHUNK: tl.constexpr):
    row, chunk = tl.program_id(0), tl.program_id(1)
    at = chunk * CHUNK + tl.arange(0, CHUNK)
    a_here = tl.load(a + row * length + at, mask=at < length, other=1.0)
    x_here = tl.load(x + row * length + at, mask=at < length, other=0.0)
    gain, rest = tl.associative_scan((a_here, x_here), 0, after)
    tl.store(y + row * length + at, gain * tl.load(states + row * chunks + chunk) + rest, mask=at < length)


def recurrence(a, x):
    rows, length = x.shape
    chunks = triton.cdiv(length, 128)
    y = torch.empty_like(x)
    gains = torch.empty((rows, chunks), dtype=torch.float32, device=x.device)
    rests = torch.empty((rows, chunks), dtype=torch.float32, device=x.device)
    states = torch.empty((rows, chunks), dtype=torch.float32, device=x.device)
    chunk_kernel[(rows, chunks)](a, x, gains, rests, length, chunks, CHUNK=128)
    states_kernel[(rows,)](gains, rests, states, chunks)
    chain_kernel[(rows, chunks)](a, x, states, y, length, chunks, CHUNK=128)
    return y
