// Horizontal Lanczos resampling of an interleaved float RGB image
#include <math.h>
__device__ float lanczos(float x, float a)
{
    if (x == 0.0f) return 1.0f;
    if (fabsf(x) >= a) return 0.0f;
    float px = 3.14159265f * x;
    return a * sinf(px) * sinf(px / a) / (px * px);
}
__global__ void resize_rows(const float *in, float *out, int inW, int outW, int height, float scale)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (ox >= outW) return;
    float center = (ox + 0.5f) * scale - 0.5f;
    int first = (int)floorf(center) - 2;
    for (int c = 0; c < 3; c++) {
        float s = 0.0f, wsum = 0.0f;
        for (int k = 0; k < 6; k++) {
            int ix = first + k;
            if (ix < 0) ix = 0;
            if (ix >= inW) ix = inW - 1;
            float w = lanczos(center - (first + k), 3.0f);
            s += w * in[(y * inW + ix) * 3 + c];
            wsum += w;
        }
        out[(y * outW + ox) * 3 + c] = s / wsum;
    }
}
void resize(const float *in, float *out, int inW, int outW, int height, float scale)
{
    resize_rows<<<dim3((outW + 127) / 128, height), 128>>>(in, out, inW, outW, height, scale);
}
