"""How far scores are from soft targets, row by row, with the gradient of the scores."""

import torch
import triton
import triton.language as tl


@triton.jit
def _distance(scores_ptr, targets_ptr, gradient_ptr, row_stride, columns, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * row_stride
    at = tl.arange(0, WIDTH)
    inside = at < columns
    scores = tl.load(scores_ptr + row + at, mask=inside, other=float("-inf")).to(tl.float32)
    targets = tl.load(targets_ptr + row + at, mask=inside, other=0.0).to(tl.float32)
    shares = tl.exp(scores - tl.max(scores, axis=0))
    shares = shares / tl.sum(shares, axis=0)
    tl.store(gradient_ptr + row + at, shares - tl.exp(targets), mask=inside)


def distance_gradient(scores, target):
    rows, columns = scores.shape
    gradient = torch.empty_like(scores)
    _distance[(rows,)](
        scores_ptr=scores,
        targets_ptr=target,
        gradient_ptr=gradient,
        row_stride=scores.stride(0),
        columns=columns,
        WIDTH=triton.next_power_of_2(columns),
    )
    return gradient
