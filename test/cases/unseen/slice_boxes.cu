// per-slice box filter; the blocks of one slice loop over all slices
#include <cstdio>
#include <vector>
__global__ void box_slices(const float* in, float* out, int w, int h, int slices) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    for (int z = 0; z < slices; ++z) {
        float s = 0.f;
        int c = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                int xx = x + dx, yy = y + dy;
                if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
                s += in[(z * h + yy) * w + xx];
                c++;
            }
        out[(z * h + y) * w + x] = s / c;
    }
}
int main() {
    const int w = 128, h = 128, slices = 64, n = w * h * slices;
    std::vector<float> host(n);
    for (int i = 0; i < n; i++) host[i] = (i * 37 % 1001) / 1001.0f;
    float *in, *out;
    cudaMalloc(&in, n * 4);
    cudaMalloc(&out, n * 4);
    cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
    box_slices<<<grid, block>>>(in, out, w, h, slices);
    cudaMemcpy(host.data(), out, n * 4, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float v : host) sum += v;
    printf("%.6f\n", sum / n);
}
