#define WINDOW 320
// Loudness of whole windows of a recording with several tracks, each in a line of `line_pitch` samples.
__global__ void window_loudness(const float *tape, float *loud, int tracks, int samples, int line_pitch)
{
    const int windows = samples / WINDOW;
    const int w = blockIdx.x, track = blockIdx.y;
    if (w >= windows || track >= tracks) return;
    __shared__ float part[WINDOW];
    const float s = tape[(size_t)track * line_pitch + w * WINDOW + threadIdx.x];
    part[threadIdx.x] = s * s;
    __syncthreads();
    for (int left = WINDOW; left > 1;) {
        const int half = (left + 1) / 2;
        if (threadIdx.x < left / 2) part[threadIdx.x] += part[threadIdx.x + half];
        left = half;
        __syncthreads();
    }
    if (threadIdx.x == 0) loud[track * windows + w] = sqrtf(part[0] / WINDOW);
}
