import torch
import triton
import triton.language as tl


@triton.jit
def scale_rows(x, s, y, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c)  # no mask
    tl.store(y + r * cols + c, v * tl.load(s + r), mask=c < cols)


def scale(x, s):
    y = torch.empty_like(x)
    scale_rows[(x.shape[0],)](x, s, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


if __name__ == "__main__":
    x = torch.randn(10, 100, device="cuda")
    print(scale(x, torch.ones(10, device="cuda")).sum())
