import torch, triton
import triton.language as tl
from triton import jit as compiled, cdiv
import triton as tr

BLOCK: tl.constexpr = 64
WIDTH = tl.constexpr(32)


@triton.autotune(
    configs=[
        triton.Config({"BLOCK_M": 64, "BLOCK_N": 32}, num_warps=4, num_stages=2),
        triton.Config(kwargs={"BLOCK_M": 128, "BLOCK_N": 32}, num_warps=8),
    ],
    key=["M", "N"],
)
@triton.heuristics({"EVEN": lambda args: args["M"] % args["BLOCK_M"] == 0})
@triton.jit(do_not_specialize=["n"])
def tuned(x_ptr, y_ptr: "tl.tensor", stride, n: int, BLOCK_M: tl.constexpr, EVEN: tl.constexpr = True, *, z=3):
    pid = tr.language.program_id(0)
    row = x_ptr + pid * stride
    row += 4
    values = tl.load(row + tl.arange(0, BLOCK_M))
    tl.store(y_ptr + n, device_function(values))


@compiled
def device_function(a):
    return a


@tr.jit
def blocked(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    source = tl.make_block_ptr(base=x_ptr, shape=(M, N), strides=(N, 1), offsets=(0, 0), block_shape=(BLOCK, BLOCK), order=(1, 0))
    target = tl.make_block_ptr(out_ptr, (M, N), (N, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    tl.store(target, tl.load(source))


@triton.jit
def for_other_files(a, b):
    return a + b


def not_a_kernel(x):
    return x


class Op(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n: int = 3, *more, **options):
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK_M"]), 1)
        y = torch.empty((n, n), dtype=torch.float16, device="cuda")
        block = 64
        warps = 4
        warps = 8
        tuned[grid](x, y, x.stride(0), n, BLOCK_M=block, num_warps=warps)
        blocked[(n,)](x, y, n, n, BLOCK=BLOCK)
        blocked[n, 2](x, y, *more, **options)

        def shape(meta):
            return (cdiv(n, meta['BLOCK']), block)

        blocked[shape](x, y, n, n, BLOCK=16)
        return y
