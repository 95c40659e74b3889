"""Times Numba's CUDA simulator on the algorithms of peers.cu; prints {name: {seconds, digest}}. Started with
NUMBA_ENABLE_CUDASIM=1.
"""

import json
import math
import time

import numpy as np
from inputs import EPSILON, SIZES, digest, numbers
from numba import cuda, float32

THREADS = 64
TILE = 16


@cuda.jit
def softmax_kernel(x, y, columns):
    scratch = cuda.shared.array(THREADS, float32)
    thread, row = cuda.threadIdx.x, cuda.blockIdx.x
    most = float32(-math.inf)
    for column in range(thread, columns, THREADS):
        most = max(most, x[row * columns + column])
    scratch[thread] = most
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            scratch[thread] = max(scratch[thread], scratch[thread + step])
        cuda.syncthreads()
        step //= 2
    most = scratch[0]
    cuda.syncthreads()
    total = float32(0)
    for column in range(thread, columns, THREADS):
        total += math.exp(x[row * columns + column] - most)
    scratch[thread] = total
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            scratch[thread] += scratch[thread + step]
        cuda.syncthreads()
        step //= 2
    total = scratch[0]
    for column in range(thread, columns, THREADS):
        y[row * columns + column] = math.exp(x[row * columns + column] - most) / total


@cuda.jit
def layer_norm_kernel(x, weight, bias, y, columns, epsilon):
    sums = cuda.shared.array(THREADS, float32)
    squares = cuda.shared.array(THREADS, float32)
    thread, row = cuda.threadIdx.x, cuda.blockIdx.x
    total, square = float32(0), float32(0)
    for column in range(thread, columns, THREADS):
        value = x[row * columns + column]
        total += value
        square += value * value
    sums[thread] = total
    squares[thread] = square
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            sums[thread] += sums[thread + step]
            squares[thread] += squares[thread + step]
        cuda.syncthreads()
        step //= 2
    mean = sums[0] / columns
    scale = 1 / math.sqrt(squares[0] / columns - mean * mean + epsilon)
    for column in range(thread, columns, THREADS):
        y[row * columns + column] = (x[row * columns + column] - mean) * scale * weight[column] + bias[column]


@cuda.jit
def matmul_kernel(a, b, c, size):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.blockIdx.x * TILE + x, cuda.blockIdx.y * TILE + y
    total = float32(0)
    for start in range(0, size, TILE):
        tile_a[y, x] = a[row * size + start + x]
        tile_b[y, x] = b[(start + y) * size + column]
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[y, k] * tile_b[k, x]
        cuda.syncthreads()
    c[row * size + column] = total


def softmax():
    rows, columns = SIZES["small"]["softmax"].values()
    y = np.zeros(rows * columns, np.float32)
    softmax_kernel[rows, THREADS](numbers(rows * columns), y, columns)
    return y


def layer_norm():
    rows, columns = SIZES["small"]["layer_norm"].values()
    y = np.zeros(rows * columns, np.float32)
    layer_norm_kernel[rows, THREADS](
        numbers(rows * columns), numbers(columns, 3), numbers(columns, 5), y, columns, EPSILON
    )
    return y


def matmul():
    size = SIZES["small"]["matmul"]["size"]
    c = np.zeros(size * size, np.float32)
    matmul_kernel[(size // TILE, size // TILE), (TILE, TILE)](
        numbers(size * size), numbers(size * size, 7), c, size
    )
    return c


def main() -> None:
    found = {}
    for run in (softmax, layer_norm, matmul):
        start = time.process_time()
        result = run()
        found[run.__name__] = {"seconds": time.process_time() - start, "digest": digest(result)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
