"""Probabilities of the next token for the sampler: temperature, then softmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(logits, scaled, temperature, vocab, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < vocab
    t = tl.load(temperature + row)
    x = tl.load(logits + row * vocab + offs, mask=mask, other=0.0)
    tl.store(scaled + row * vocab + offs, x / t, mask=mask)


@triton.jit
def exp_kernel(scaled, exps, sums, vocab, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < vocab
    x = tl.load(scaled + row * vocab + offs, mask=mask, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(exps + row * vocab + offs, e, mask=mask)
    tl.store(sums + row, tl.sum(e, axis=0))


@triton.jit
def normalize_kernel(exps, sums, probs, vocab, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < vocab
    e = tl.load(exps + row * vocab + offs, mask=mask, other=0.0)
    tl.store(probs + row * vocab + offs, e / tl.load(sums + row), mask=mask)


def sampling_probs(logits: torch.Tensor, temperature: torch.Tensor) -> torch.Tensor:
    """logits: (batch, vocab) float32; temperature: (batch,), positive."""
    batch, vocab = logits.shape
    scaled = torch.empty_like(logits)
    exps = torch.empty_like(logits)
    probs = torch.empty_like(logits)
    sums = torch.empty(batch, device=logits.device, dtype=torch.float32)
    wide = (batch, triton.cdiv(vocab, 1024))
    scale_kernel[wide](logits, scaled, temperature, vocab, BLOCK=1024)
    exp_kernel[(batch,)](scaled, exps, sums, vocab, BLOCK=triton.next_power_of_2(vocab), num_warps=8)
    normalize_kernel[wide](exps, sums, probs, vocab, BLOCK=1024)
    return probs


if __name__ == "__main__":
    torch.manual_seed(0)
    logits = torch.randn(32, 4000, device="cuda") * 4
    temperature = torch.rand(32, device="cuda") + 0.5
    got = sampling_probs(logits, temperature)
    torch.testing.assert_close(got, torch.softmax(logits / temperature[:, None], dim=-1))
    print("ok")
