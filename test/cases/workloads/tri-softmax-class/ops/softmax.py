import torch
import triton
import triton.language as tl


@triton.jit
def _row_softmax(
    Y, stride_y,
    X, stride_x,
    N,
    LOG: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + row * stride_x + cols, mask=cols < N, other=-float("inf")).to(tl.float32)
    x = x - tl.max(x, axis=0)
    num = tl.exp(x)
    den = tl.sum(num, axis=0)
    y = x - tl.log(den) if LOG else num / den
    tl.store(Y + row * stride_y + cols, y, mask=cols < N)


class RowSoftmax:
    """softmax or log-softmax over the last dimension of a tensor of any rank"""

    def __init__(self, log: bool = False):
        self.log = log

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        flat = x.reshape(-1, x.shape[-1])
        out = torch.empty_like(flat)
        rows, n = flat.shape
        block = triton.next_power_of_2(n)
        _row_softmax[(rows,)](
            out, out.stride(0), flat, flat.stride(0), n,
            LOG=self.log, BLOCK=block, num_warps=4 if block < 2048 else 8,
        )
        return out.view(x.shape)


softmax = RowSoftmax()
log_softmax = RowSoftmax(log=True)
