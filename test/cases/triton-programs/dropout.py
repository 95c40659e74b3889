"""Dropout from a seed: the same seed gives the same mask, another seed another one."""
import torch

import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()


@triton.jit
def seeded_dropout_kernel(x_ptr, output_ptr, n_elements, p, seed, BLOCK_SIZE: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    random = tl.rand(seed, offsets)
    tl.store(output_ptr + offsets, tl.where(random > p, x / (1 - p), 0.0), mask=mask)


def seeded_dropout(x, p, seed):
    output = torch.empty_like(x)
    assert x.is_contiguous()
    n_elements = x.numel()
    seeded_dropout_kernel[(triton.cdiv(n_elements, 1024), )](x, output, n_elements, p, seed, BLOCK_SIZE=1024)
    return output


x = torch.ones(size=(5000, ), device=DEVICE)
first, again, other = seeded_dropout(x, 0.5, 123), seeded_dropout(x, 0.5, 123), seeded_dropout(x, 0.5, 512)
print("first ten", first[:10].tolist())
print("same seed", torch.equal(first, again), "other seed", torch.equal(first, other))
print("share kept", 0.47 < (first != 0).float().mean().item() < 0.53)
