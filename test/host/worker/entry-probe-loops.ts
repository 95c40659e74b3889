/** Files whose host code launches a kernel in a loop. */
const head = "import torch, triton\nimport triton.language as tl\n";

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
