/** Files whose host code launches a kernel in a loop. */
const head = "import torch, triton\nimport triton.language as tl\n";

/** A launch for each head, whose result the host copies to its place. */
export const heads = `${head}
@triton.jit
def turn_kernel(q_ptr, o_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + at, -tl.load(q_ptr + at, mask=at < n), mask=at < n)


def turned(q):
    rows, count, size = q.shape
    out = torch.empty_like(q)
    for h in range(count):
        part = q[:, h].contiguous()
        made = torch.empty_like(part)
        turn_kernel[(triton.cdiv(rows * size, 128),)](part, made, rows * size, BLOCK=128)
        out[:, h] = made
    return out
`;

/** A launch for each row: more of them than a search for a call could make often. */
export const eachRow = `${head}
class Halve(torch.nn.Module):
    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        out = torch.empty_like(rows)
        for r in range(rows.shape[0]):
            half_kernel[(1,)](rows[r], out[r], rows.shape[1], BLOCK=triton.next_power_of_2(rows.shape[1]))
        return out.view(x.shape)


@triton.jit
def half_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) / 2, mask=at < n)
`;
