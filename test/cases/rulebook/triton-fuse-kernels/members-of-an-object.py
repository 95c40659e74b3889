#@case {"kernel": "add_velocity"}
import torch
import triton
import triton.language as tl


@triton.jit
def damp(v, force, rate, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    speed = tl.load(v + i, mask=inside)
    tl.store(v + i, speed * rate + tl.load(force + i, mask=inside), mask=inside)  #@ globalStoreRequests=64


@triton.jit
def add_velocity(x, v, step, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(x + i, tl.load(x + i, mask=inside) + step * tl.load(v + i, mask=inside), mask=inside)  #@ globalStoreRequests=64


class Particles:
    def __init__(self, places):
        self.x = places
        self.v = torch.zeros_like(places)

    def advance(self, force, step):
        n = self.x.numel()
        grid = (triton.cdiv(n, 512),)
        damp[grid](self.v, force, 0.99, n, BLOCK=512)
        add_velocity[grid](self.x, self.v, step, n, BLOCK=512)
        return self.x
