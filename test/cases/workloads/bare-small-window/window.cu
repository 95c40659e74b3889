// Only where the whole window lies inside of the picture: (rows - window_rows + 1) by (cols - window_cols + 1).
__global__ void correlate(const float* picture, const float* window, float* response, int rows, int cols,
                          int window_rows, int window_cols)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int across = cols - window_cols + 1, down = rows - window_rows + 1;
    if (x >= across || y >= down) return;
    float sum = 0.0f;
    for (int j = 0; j < window_rows; ++j)
        for (int i = 0; i < window_cols; ++i) sum += picture[(y + j) * cols + x + i] * window[j * window_cols + i];
    response[y * across + x] = sum;
}

// Taps in reverse order, no border.
__global__ void filtered(const float* samples, const float* taps, float* result, int length, int tap_count)
{
    const int at = blockDim.x * blockIdx.x + threadIdx.x;
    if (at < length - tap_count + 1) {
        float sum = 0.0f;
        for (int tap = 0; tap < tap_count; tap++) sum += taps[tap_count - 1 - tap] * samples[at + tap];
        result[at] = sum;
    }
}
