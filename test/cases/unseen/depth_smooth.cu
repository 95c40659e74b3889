// Gaussian smoothing of a depth image, radius 5
#include <cuda_runtime.h>
#define R 5
struct Taps { float g[2 * R + 1]; };
__device__ __forceinline__ int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }
__global__ void gaussSmooth(const float* __restrict__ src, float* __restrict__ dst, const float* __restrict__ g, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float acc = 0.f, norm = 0.f;
    for (int j = -R; j <= R; ++j) {
        int yy = clampi(y + j, 0, h - 1);
        for (int i = -R; i <= R; ++i) {
            int xx = clampi(x + i, 0, w - 1);
            float wgt = g[j + R] * g[i + R];
            acc += wgt * src[yy * w + xx];
            norm += wgt;
        }
    }
    dst[y * w + x] = acc / norm;
}
void smooth(const float* src, float* dst, const float* g, int w, int h)
{
    dim3 b(32, 8);
    dim3 gr((w + 31) / 32, (h + 7) / 8);
    gaussSmooth<<<gr, b>>>(src, dst, g, w, h);
}
