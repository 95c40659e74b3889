// band-pass filter whose taps are computed on the fly
#include <cstdio>
#include <vector>
__global__ void tune_filter(const float2* x, float2* y, float f0, int n, int taps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 acc = make_float2(0.f, 0.f);
    for (int t = 0; t < taps; ++t) {
        if (i - t < 0) break;
        float s, c;
        sincospif(2.0f * f0 * t, &s, &c);
        float w = 0.54f - 0.46f * cospif(2.0f * t / (taps - 1));
        float2 v = x[i - t];
        acc.x += w * (v.x * c + v.y * s);
        acc.y += w * (v.y * c - v.x * s);
    }
    y[i] = acc;
}
int main() {
    const int n = 65536, taps = 129;
    std::vector<float2> h(n);
    for (int i = 0; i < n; i++) h[i] = make_float2((i * 31 % 257) / 257.0f, (i * 17 % 509) / 509.0f);
    float2 *x, *y;
    cudaMalloc(&x, n * 8);
    cudaMalloc(&y, n * 8);
    cudaMemcpy(x, h.data(), n * 8, cudaMemcpyHostToDevice);
    tune_filter<<<(n + 255) / 256, 256>>>(x, y, 0.125f, n, taps);
    cudaMemcpy(h.data(), y, n * 8, cudaMemcpyDeviceToHost);
    printf("%f %f\n", h[999].x, h[999].y);
}
