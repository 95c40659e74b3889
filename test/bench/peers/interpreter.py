"""Times Triton's own interpreter on the kernels of test/cases/vgpu/triton; prints {name: {seconds, digest}}.
Started with TRITON_INTERPRET=1 and that folder on the path.
"""

import json
import time

import torch
from inputs import EPSILON, SIZES, digest, numbers

import kernels

ATTEMPTS = 2


def softmax():
    rows, columns = SIZES["large"]["softmax"].values()
    x = torch.from_numpy(numbers(rows * columns)).reshape(rows, columns)
    y = torch.empty_like(x)
    kernels.softmax_kernel[(rows,)](y, x, columns, columns, columns, BLOCK=1024)
    return y


def layer_norm():
    rows, columns = SIZES["large"]["layer_norm"].values()
    x = torch.from_numpy(numbers(rows * columns)).reshape(rows, columns)
    weight, bias = torch.from_numpy(numbers(columns, 3)), torch.from_numpy(numbers(columns, 5))
    y = torch.empty_like(x)
    kernels.layer_norm_kernel[(rows,)](x, weight, bias, y, columns, columns, EPSILON, BLOCK=512)
    return y


def matmul():
    size = SIZES["large"]["matmul"]["size"]
    a = torch.from_numpy(numbers(size * size)).to(torch.float16).reshape(size, size)
    b = torch.from_numpy(numbers(size * size, 7)).to(torch.float16).reshape(size, size)
    c = torch.empty((size, size), dtype=torch.float32)
    grid = (size // 64, size // 64)
    kernels.matmul_kernel[grid](
        a, b, c, size, size, size, size, size, size, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32
    )
    return c


def main() -> None:
    torch.set_num_threads(1)
    found = {}
    for run in (softmax, layer_norm, matmul):
        seconds = float("inf")
        for _ in range(ATTEMPTS):
            start = time.process_time()
            result = run()
            seconds = min(seconds, time.process_time() - start)
        found[run.__name__] = {"seconds": seconds, "digest": digest(result.numpy())}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
