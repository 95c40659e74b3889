# task: triton-rs12-cross-entropy
# does: goes once through each row with a running maximum for each lane, by powers of two, and skips rows that do not count

import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x, labels, losses, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    loss = 0.0
    if label >= 0:
        largest = tl.full((BLOCK,), float("-inf"), tl.float32)
        total = tl.zeros((BLOCK,), dtype=tl.float32)
        for first in range(0, columns, BLOCK):
            at = first + tl.arange(0, BLOCK)
            values = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf")) * 1.4426950408889634
            larger = tl.maximum(largest, values)
            # A lane that has met nothing but minus infinity keeps its sum at zero.
            base = tl.where(larger == float("-inf"), 0.0, larger)
            total = total * tl.exp2(largest - base) + tl.exp2(values - base)
            largest = larger
        top = tl.max(largest, axis=0)
        whole = tl.sum(total * tl.exp2(largest - top), axis=0)
        loss = (top + tl.log2(whole)) * 0.6931471805599453 - tl.load(x + row * columns + label)
    tl.store(losses + row, loss)


@triton.jit
def mean_kernel(losses, labels, loss, rows, BLOCK: tl.constexpr):
    totals = tl.zeros((BLOCK,), dtype=tl.float32)
    counts = tl.zeros((BLOCK,), dtype=tl.int32)
    for first in range(0, rows, BLOCK):
        at = first + tl.arange(0, BLOCK)
        totals += tl.load(losses + at, mask=at < rows, other=0.0)
        counts += (tl.load(labels + at, mask=at < rows, other=-1) >= 0).to(tl.int32)
    tl.store(loss, tl.sum(totals, axis=0) / tl.maximum(tl.sum(counts, axis=0), 1))


def cross_entropy(x, labels):
    """The mean over all rows whose label is not negative."""
    rows, columns = x.shape
    losses = torch.empty((rows,), dtype=torch.float32, device=x.device)
    loss = torch.empty((1,), dtype=torch.float32, device=x.device)
    loss_kernel[(rows,)](x, labels, losses, columns, BLOCK=256)
    mean_kernel[(1,)](losses, labels, loss, rows, BLOCK=512)
    return loss
