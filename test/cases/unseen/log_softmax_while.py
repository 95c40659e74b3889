import torch
import triton
import triton.language as tl


@triton.jit
def log_softmax_fwd(in_ptr, out_ptr, row_stride, num_cols, CHUNK: tl.constexpr):
    pid = tl.program_id(0)
    in_row = in_ptr + pid * row_stride
    out_row = out_ptr + pid * row_stride
    lanes = tl.arange(0, CHUNK)
    top = tl.full((CHUNK,), float("-inf"), tl.float32)
    c = 0
    while c < num_cols:
        v = tl.load(in_row + c + lanes, mask=c + lanes < num_cols, other=float("-inf"))
        top = tl.maximum(top, v)
        c += CHUNK
    peak = tl.max(top, axis=0)
    acc = tl.zeros((CHUNK,), tl.float32)
    c = 0
    while c < num_cols:
        v = tl.load(in_row + c + lanes, mask=c + lanes < num_cols, other=float("-inf"))
        acc += tl.exp(v - peak)
        c += CHUNK
    lse = peak + tl.log(tl.sum(acc, axis=0))
    c = 0
    while c < num_cols:
        v = tl.load(in_row + c + lanes, mask=c + lanes < num_cols, other=0.0)
        tl.store(out_row + c + lanes, v - lse, mask=c + lanes < num_cols)
        c += CHUNK


def log_softmax(x: torch.Tensor) -> torch.Tensor:
    rows, cols = x.shape
    y = torch.empty_like(x)
    log_softmax_fwd[(rows,)](x, y, x.stride(0), cols, CHUNK=128, num_warps=4)
    return y
