#include <cfloat>

// smallest, largest and mean of each row; one block of 128 threads a row
__global__ void row_stats(const float *m, float *lo, float *hi, float *mean, int cols)
{
    __shared__ float a[128], b[128], c[128];
    const int t = threadIdx.x;
    float mn = FLT_MAX, mx = -FLT_MAX, sum = 0.f;
    for (int j = t; j < cols; j += 128) {
        const float v = m[blockIdx.x * cols + j];
        mn = fminf(mn, v);
        mx = fmaxf(mx, v);
        sum += v;
    }
    a[t] = mn; b[t] = mx; c[t] = sum;
    for (int w = 64; w > 0; w /= 2) {
        __syncthreads();
        if (t < w) {
            a[t] = fminf(a[t], a[t + w]);
            b[t] = fmaxf(b[t], b[t + w]);
            c[t] += c[t + w];
        }
    }
    if (t == 0) {
        lo[blockIdx.x] = a[0];
        hi[blockIdx.x] = b[0];
        mean[blockIdx.x] = c[0] / cols;
    }
}
