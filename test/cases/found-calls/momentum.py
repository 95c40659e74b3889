"""An optimizer that keeps what it was made with."""
import torch
import triton
import triton.language as tl


@triton.jit
def momentum_kernel(weights, speeds, slopes, rate, keep, n, SPAN: tl.constexpr):
    at = tl.program_id(0) * SPAN + tl.arange(0, SPAN)
    speed = keep * tl.load(speeds + at, mask=at < n) + tl.load(slopes + at, mask=at < n)
    tl.store(speeds + at, speed, mask=at < n)
    tl.store(weights + at, tl.load(weights + at, mask=at < n) - rate * speed, mask=at < n)


class Momentum:
    def __init__(self, weights, rate=0.1, keep=0.9):
        assert weights.ndim == 1
        self.weights = weights
        self.speeds = torch.zeros_like(weights)
        self.rate, self.keep = rate, keep

    def step(self, slopes):
        assert slopes.shape == self.weights.shape
        n = self.weights.numel()
        momentum_kernel[(triton.cdiv(n, 64),)](
            self.weights, self.speeds, slopes, self.rate, self.keep, n, SPAN=64
        )
