from dataclasses import dataclass

import torch
import triton
import triton.language as tl


@dataclass
class MixerConfig:
    model_dim: int
    n_heads: int
    n_kv_heads: int
    window: int = 24
    cap: float = 20.0


@triton.jit
def _local_mix(q, k, v, out, length, window, cap, stride_b, stride_t, kv_stride_b, kv_stride_t, group,
               ROWS: tl.constexpr, KEYS: tl.constexpr, WIDTH: tl.constexpr):
    first = tl.program_id(0) * ROWS
    head = tl.program_id(1)
    batch = tl.program_id(2)
    t = first + tl.arange(0, ROWS)
    e = tl.arange(0, WIDTH)
    inside = t < length
    here = batch * stride_b + t[:, None] * stride_t + head * WIDTH + e[None, :]
    rows = tl.load(q + here, mask=inside[:, None], other=0.0)
    total = tl.zeros([ROWS], tl.float32)
    mixed = tl.zeros([ROWS, WIDTH], tl.float32)
    begin = tl.maximum(first - window + 1, 0)
    for at in range(begin, tl.minimum(first + ROWS, length), KEYS):
        s = at + tl.arange(0, KEYS)
        there = batch * kv_stride_b + s[:, None] * kv_stride_t + (head // group) * WIDTH + e[None, :]
        keys = tl.load(k + there, mask=(s < length)[:, None], other=0.0)
        score = tl.dot(rows, tl.trans(keys), allow_tf32=False)
        score = cap * (2.0 * tl.sigmoid(2.0 * score / cap) - 1.0)
        seen = (s[None, :] <= t[:, None]) & (s[None, :] > t[:, None] - window) & (s[None, :] < length)
        weight = tl.where(seen, tl.exp(score - cap), 0.0)
        values = tl.load(v + there, mask=(s < length)[:, None], other=0.0)
        total += tl.sum(weight, 1)
        mixed += tl.dot(weight, values, allow_tf32=False)
    tl.store(out + here, mixed / total[:, None], mask=inside[:, None])


class LocalMixer(torch.nn.Module):
    def __init__(self, config: MixerConfig):
        super().__init__()
        assert config.model_dim % config.n_heads == 0
        if config.n_heads % config.n_kv_heads:
            raise ValueError("heads come in whole groups")
        self.config = config
        self.heads, self.width = config.n_heads, config.model_dim // config.n_heads
        self.to_q = torch.nn.Linear(config.model_dim, config.model_dim, bias=False)
        self.to_kv = torch.nn.Linear(config.model_dim, 2 * config.n_kv_heads * self.width, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.to_q(x) * self.width**-0.5
        k, v = (part.contiguous() for part in self.to_kv(x).chunk(2, -1))
        out = torch.empty_like(q)
        grid = (triton.cdiv(length, 32), self.heads, batch)
        _local_mix[grid](q, k, v, out, length, self.config.window, self.config.cap, *q.stride()[:2], *k.stride()[:2],
                         self.heads // self.config.n_kv_heads, ROWS=32, KEYS=32, WIDTH=self.width)
        return out
