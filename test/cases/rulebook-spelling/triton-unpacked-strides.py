#@case {"kernel": "half_product"}
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"TILE": 32}), triton.Config({"TILE": 64})], key=["m"])
@triton.jit
def half_product(a, b, c, m, n, k, a_row, a_column, b_row, b_column, c_row, c_column, scale=1.0, TILE: tl.constexpr = 64):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for step in range(k):
        left = tl.load(a + rows * a_row + step * a_column, mask=rows < m)
        right = tl.load(b + step * b_row + columns * b_column, mask=columns < n)
        total += left[:, None] * right[None, :]
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * c_row + columns[None, :] * c_column, scale * total, mask=inside)


class Product(torch.nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], self.weight.shape[1], device=x.device)
        grid = lambda meta: (triton.cdiv(out.shape[0], meta["TILE"]), triton.cdiv(out.shape[1], meta["TILE"]))
        half_product[grid](
            x, self.weight, out, *out.shape, x.shape[1], *x.stride(), *self.weight.stride(), *out.stride()
        )
        return out
