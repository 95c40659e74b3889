"""Softmax of triangle-attention logits with pair bias and residue mask.

logits: [heads, queries, residues], pair_bias: the same, residue_mask: [residues] (1 = present)
"""
import torch
import triton
import triton.language as tl


@triton.jit
def _biased(logits, bias, mask_ptr, offs, residues, scale):
    inb = offs < residues
    x = tl.load(logits + offs, mask=inb, other=0.0) * scale
    x += tl.load(bias + offs, mask=inb, other=0.0)
    present = tl.load(mask_ptr + offs, mask=inb, other=0.0)
    x += (present - 1.0) * 1e4
    return tl.where(inb, x, float("-inf"))


@triton.jit
def pair_softmax_kernel(
    logits_ptr, bias_ptr, mask_ptr, out_ptr,
    residues, row_stride, scale,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0) * row_stride
    logits = logits_ptr + row
    bias = bias_ptr + row
    cols = tl.arange(0, BLOCK)

    # running maximum
    top = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for start in range(0, residues, BLOCK):
        top = tl.maximum(top, _biased(logits, bias, mask_ptr, start + cols, residues, scale))
    m = tl.max(top, axis=0)

    # normaliser
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, residues, BLOCK):
        acc += tl.exp(_biased(logits, bias, mask_ptr, start + cols, residues, scale) - m)
    denom = tl.sum(acc, axis=0)

    # probabilities
    for start in range(0, residues, BLOCK):
        offs = start + cols
        p = tl.exp(_biased(logits, bias, mask_ptr, offs, residues, scale) - m) / denom
        tl.store(out_ptr + row + offs, p, mask=offs < residues)


def pair_softmax(logits, pair_bias, residue_mask, scale):
    heads, queries, residues = logits.shape
    out = torch.empty_like(logits)
    pair_softmax_kernel[(heads * queries,)](
        logits, pair_bias, residue_mask, out,
        residues, logits.stride(1), scale,
        BLOCK=256,
    )
    return out
