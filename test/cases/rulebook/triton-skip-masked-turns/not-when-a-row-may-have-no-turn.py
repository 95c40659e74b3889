#@case {"kernel": "look_back"}
import torch
import triton
import triton.language as tl


@triton.jit
def look_back(q_ptr, k_ptr, v_ptr, o_ptr, steps, scale, ahead, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    block = tl.program_id(0)
    head = tl.program_id(1)
    now = block * M + tl.arange(0, M)
    depth = tl.arange(0, D)
    base = head * steps * D
    q = tl.load(q_ptr + base + now[:, None] * D + depth[None, :], mask=now[:, None] < steps, other=0.0)
    most = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    out = tl.zeros((M, D), tl.float32)
    for start in range(0, steps, N):  #@ instructions=9000
        past = start + tl.arange(0, N)
        k = tl.load(k_ptr + base + past[None, :] * D + depth[:, None], mask=past[None, :] < steps, other=0.0)
        score = tl.dot(q, k, out_dtype=tl.float32) * scale
        score = tl.where((now[:, None] + ahead >= past[None, :]) & (past[None, :] < steps), score, float("-inf"))
        top = tl.maximum(most, tl.max(score, 1))
        fade = tl.exp(most - top)
        weight = tl.exp(score - top[:, None])
        total = total * fade + tl.sum(weight, 1)
        v = tl.load(v_ptr + base + past[:, None] * D + depth[None, :], mask=past[:, None] < steps, other=0.0)
        out = out * fade[:, None] + tl.dot(weight.to(v.dtype), v)
        most = top
    tl.store(o_ptr + base + now[:, None] * D + depth[None, :], out / total[:, None], mask=now[:, None] < steps)


def attend(q, k, v, ahead):
    heads, steps, depth = q.shape
    o = torch.empty_like(q)
    look_back[(triton.cdiv(steps, 64), heads)](q, k, v, o, steps, depth**-0.5, ahead, M=64, N=32, D=depth)
    return o
