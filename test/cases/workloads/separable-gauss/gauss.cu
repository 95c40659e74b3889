// Gaussian blur in two passes: rows, then columns, borders clamped.
#include <cmath>
#include <cstdio>
#include <vector>
#define RADIUS 4
#define W 100
#define H 70

__constant__ float taps[2 * RADIUS + 1];

__global__ void blur_rows(const float* src, float* dst)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= W) return;
    float s = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        s += taps[k + RADIUS] * src[y * W + min(max(x + k, 0), W - 1)];
    dst[y * W + x] = s;
}

__global__ void blur_cols(const float* src, float* dst)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= W) return;
    float s = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        s += taps[k + RADIUS] * src[min(max(y + k, 0), H - 1) * W + x];
    dst[y * W + x] = s;
}

int main()
{
    float h_taps[2 * RADIUS + 1], norm = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) norm += h_taps[k + RADIUS] = expf(-0.5f * k * k / 4.0f);
    for (float& t : h_taps) t /= norm;
    cudaMemcpyToSymbol(taps, h_taps, sizeof(h_taps));

    std::vector<float> img(W * H, 0.f), out(W * H);
    img[H / 2 * W + W / 2] = 1000.f;
    float *a, *b, *c;
    cudaMalloc(&a, sizeof(float) * W * H);
    cudaMalloc(&b, sizeof(float) * W * H);
    cudaMalloc(&c, sizeof(float) * W * H);
    cudaMemcpy(a, img.data(), sizeof(float) * W * H, cudaMemcpyHostToDevice);
    dim3 grid((W + 63) / 64, H);
    blur_rows<<<grid, 64>>>(a, b);
    blur_cols<<<grid, 64>>>(b, c);
    cudaMemcpy(out.data(), c, sizeof(float) * W * H, cudaMemcpyDeviceToHost);

    double total = 0;
    for (float v : out) total += v;
    float peak = out[H / 2 * W + W / 2], expected = 1000.f * h_taps[RADIUS] * h_taps[RADIUS];
    printf("total %.4f, peak %.4f (%.4f)\n", total, peak, expected);
    return std::fabs(total - 1000.0) < 1e-2 && std::fabs(peak - expected) < 1e-3 ? 0 : 1;
}
