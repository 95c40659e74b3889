# task: triton-rs12-cross-entropy
# source: rs
# does: divides by the number of rows that count, whatever that is
# caught by: wrong values
# why wrong: where all labels are negative (a batch of padding) it gives 0 / 0, no number, in place of zero

import torch
import triton
import triton.language as tl


@triton.jit
def loss_kernel(x, labels, losses, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    # A row that does not count is not even read.
    if label < 0:
        tl.store(losses + row, 0.0)
    else:
        largest = tl.full((BLOCK,), -3.0e38, tl.float32)
        total = tl.zeros((BLOCK,), dtype=tl.float32)
        for first in range(0, columns, BLOCK):
            at = first + tl.arange(0, BLOCK)
            values = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf"))
            larger = tl.maximum(largest, values)
            total = total * tl.exp(largest - larger) + tl.exp(values - larger)
            largest = larger
        top = tl.max(largest, axis=0)
        sum = tl.sum(total * tl.exp(largest - top), axis=0)
        tl.store(losses + row, top + tl.log(sum) - tl.load(x + row * columns + label))


@triton.jit
def mean_kernel(losses, labels, loss, rows, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    totals = tl.zeros((BLOCK,), dtype=tl.float32)
    counts = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, rows, BLOCK):
        totals += tl.load(losses + first + at, mask=first + at < rows, other=0.0)
        counts += (tl.load(labels + first + at, mask=first + at < rows, other=-1) >= 0).to(tl.float32)
    tl.store(loss, tl.sum(totals, axis=0) / tl.sum(counts, axis=0))


def cross_entropy(x, labels):
    """The mean over all rows whose label is not negative."""
    rows, columns = x.shape
    losses = torch.empty((rows,), dtype=torch.float32, device=x.device)
    loss = torch.empty((1,), dtype=torch.float32, device=x.device)
    loss_kernel[(rows,)](x, labels, losses, columns, BLOCK=256)
    mean_kernel[(1,)](losses, labels, loss, rows, BLOCK=256)
    return loss
