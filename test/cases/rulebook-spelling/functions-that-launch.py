#@case {"kernel": "second"}
import torch
import triton
import triton.language as tl


@triton.jit
def first(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def second(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 1 + tl.load(x + i, mask=i < n), mask=i < n)


def double(x: torch.Tensor, *, block: int = 256) -> torch.Tensor:
    """Twice the tensor."""
    n = x.numel()
    y = torch.empty_like(x)
    first[(triton.cdiv(n, block),)](x, y, n, BLOCK=block)
    return y


def one_more(x, block=256):
    y = torch.empty_like(x)
    second[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)
    return y


class Both(torch.nn.Module):
    def forward(self, x):
        n = x.dim()
        return one_more(double(x), block=128), n


if __name__ == "__main__":
    print(Both()(torch.ones(4)))
