// largest response in a window of each layer; a window is left, top, right, bottom
__global__ void window_peak(const float* layers, const float* windows, float* peaks, int layer_count, int tall, int wide, int window_count)
{
    const int job = blockIdx.x * blockDim.x + threadIdx.x;
    if (job >= window_count * layer_count) return;
    const float* window = windows + 4 * (job / layer_count);
    const float* layer = layers + (job % layer_count) * tall * wide;
    const int left = (int)floorf(window[0]), top = (int)floorf(window[1]);
    const int right = (int)ceilf(window[2]), bottom = (int)ceilf(window[3]);
    float peak = -1e30f;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) peak = fmaxf(peak, layer[y * wide + x]);
    peaks[job] = peak;
}

void find_peaks(const float* layers, const float* windows, float* peaks, int layer_count, int tall, int wide, int window_count)
{
    const int jobs = window_count * layer_count;
    window_peak<<<(jobs + 63) / 64, 64>>>(layers, windows, peaks, layer_count, tall, wide, window_count);
}
