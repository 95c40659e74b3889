#define REACH 4

static __constant__ float weights[2 * REACH + 1];
__constant__ double scale;

// a filter whose weights another part of the project uploads
__global__ void smooth(const float* signal, double* result, int count)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    float sum = 0;
    for (int tap = -REACH; tap <= REACH; ++tap) {
        const int from = at + tap;
        if (from >= 0 && from < count) sum += weights[tap + REACH] * signal[from];
    }
    result[at] = scale * sum;
}
