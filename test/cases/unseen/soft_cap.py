"""Soft cap of attention or output logits: cap * tanh(x / cap), rows may be padded."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


# The row length changes with every batch: do not compile again for each.
@triton.jit(do_not_specialize=["cols", "x_stride", "y_stride"])
def soft_cap_rows(x, y, cols, x_stride, y_stride, cap, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    piece = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    keep = piece < cols
    v = tl.load(x + row * x_stride + piece, mask=keep).to(tl.float32)
    v = cap * libdevice.tanh(v / cap)
    tl.store(y + row * y_stride + piece, v.to(tl.float16), mask=keep)


def soft_cap(logits: torch.Tensor, cap: float = 30.0) -> torch.Tensor:
    rows, cols = logits.shape
    out = torch.empty((rows, cols), dtype=torch.float16, device=logits.device)
    soft_cap_rows[(rows, triton.cdiv(cols, 2048))](
        logits, out, cols, logits.stride(0), out.stride(0), cap, BLOCK=2048, num_warps=4
    )
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    logits = torch.randn(128, 4096, device="cuda", dtype=torch.float16) * 20
    got = soft_cap(logits, 30.0)
    torch.testing.assert_close(got, (30 * torch.tanh(logits.float() / 30)).half(), rtol=1e-2, atol=1e-2)
    print("ok")
