// correlation of feature planes with a bank of square filters, edges taken as zero
__global__ void filter_bank(const float* planes, const float* bank, float* answers, int depth, int tall, int wide, int filters, int span)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int line = blockIdx.y * blockDim.y + threadIdx.y;
    const int image = blockIdx.z / filters;
    const int filter = blockIdx.z % filters;
    if (col >= wide || line >= tall) return;
    float answer = 0;
    for (int plane = 0; plane < depth; ++plane)
        for (int dy = 0; dy < span; ++dy)
            for (int dx = 0; dx < span; ++dx) {
                const int y = line + dy - span / 2;
                const int x = col + dx - span / 2;
                if (y < 0 || y >= tall || x < 0 || x >= wide) continue;
                answer += planes[((image * depth + plane) * tall + y) * wide + x]
                    * bank[((filter * depth + plane) * span + dy) * span + dx];
            }
    answers[((image * filters + filter) * tall + line) * wide + col] = answer;
}

void run_bank(const float* planes, const float* bank, float* answers, int images, int depth, int tall, int wide, int filters, int span)
{
    const dim3 tile(16, 8);
    const dim3 tiles((wide + tile.x - 1) / tile.x, (tall + tile.y - 1) / tile.y, images * filters);
    filter_bank<<<tiles, tile>>>(planes, bank, answers, depth, tall, wide, filters, span);
}
