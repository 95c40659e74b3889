#include <cuda_runtime.h>
// Each thread filters one hydrophone trace with two biquad sections, in place.
__global__ void filterTraces(float* trace, const float* coef, int nTraces, int nSamples) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= nTraces) return;
    for (int sec = 0; sec < 2; ++sec) {
        const float b0 = coef[sec * 5 + 0], b1 = coef[sec * 5 + 1], b2 = coef[sec * 5 + 2];
        const float a1 = coef[sec * 5 + 3], a2 = coef[sec * 5 + 4];
        float z1 = 0.f, z2 = 0.f;
        for (int i = 0; i < nSamples; ++i) {
            float x = trace[t * nSamples + i];
            float y = b0 * x + z1;
            z1 = b1 * x - a1 * y + z2;
            z2 = b2 * x - a2 * y;
            trace[t * nSamples + i] = y;
        }
    }
}
void launchFilter(float* trace, const float* coef, int nTraces, int nSamples) {
    int block = 128;
    filterTraces<<<(nTraces + block - 1) / block, block>>>(trace, coef, nTraces, nSamples);
}
