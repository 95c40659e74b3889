// C = alpha * A B + beta * C; rows, columns and depth are whole tiles
#define TILE_ROWS 64
#define TILE_COLUMNS 64
#define SLAB 8
#define PER_THREAD 8

__global__ void __launch_bounds__(64)
    product_tiles(const float *A, const float *B, float *C, int rows, int columns, int depth, float alpha, float beta)
{
    __shared__ float left[SLAB][TILE_ROWS];
    __shared__ float right[SLAB][TILE_COLUMNS];
    const int t = threadIdx.x;
    const int ty = t / (TILE_COLUMNS / PER_THREAD), tx = t % (TILE_COLUMNS / PER_THREAD);
    A += blockIdx.y * TILE_ROWS * depth;
    B += blockIdx.x * TILE_COLUMNS;
    C += blockIdx.y * TILE_ROWS * columns + blockIdx.x * TILE_COLUMNS;
    float sums[PER_THREAD][PER_THREAD] = {};
    for (int k = 0; k < depth; k += SLAB) {
        for (int s = 0; s < SLAB; ++s) {
            left[s][t] = A[t * depth + k + s];
            right[s][t] = B[(k + s) * columns + t];
        }
        __syncthreads();
        for (int s = 0; s < SLAB; ++s) {
            float a[PER_THREAD], b[PER_THREAD];
            for (int i = 0; i < PER_THREAD; ++i) {
                a[i] = left[s][ty * PER_THREAD + i];
                b[i] = right[s][tx * PER_THREAD + i];
            }
            for (int i = 0; i < PER_THREAD; ++i)
                for (int j = 0; j < PER_THREAD; ++j) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < PER_THREAD; ++i)
        for (int j = 0; j < PER_THREAD; ++j) {
            float *c = &C[(ty * PER_THREAD + i) * columns + tx * PER_THREAD + j];
            *c = alpha * sums[i][j] + beta * *c;
        }
}
