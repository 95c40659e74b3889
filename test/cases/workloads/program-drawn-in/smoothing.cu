// Drawn in by main.cu, which says what a real is.
__global__ void smoothed(const real* before, real* after, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    CELL(after, x, y) = real(0.25) * (CELL(before, x - 1, y) + CELL(before, x + 1, y) + CELL(before, x, y - 1) +
                                      CELL(before, x, y + 1));
}
