// validity bitmap of a column: bit i says whether row i passes the predicate
#include <cstdio>
#include <vector>
__global__ void build_bitmap(const float* values, unsigned int* bits, float lo, float hi, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (values[i] >= lo && values[i] < hi)
        atomicOr(&bits[i >> 5], 1u << (i & 31));
}
int main() {
    const int n = 1 << 20;
    std::vector<float> h(n);
    unsigned s = 12345;
    for (int i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; h[i] = (s >> 8) / 16777216.0f; }
    float* v; unsigned* bits;
    cudaMalloc(&v, n * 4); cudaMalloc(&bits, n / 32 * 4);
    cudaMemcpy(v, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemset(bits, 0, n / 32 * 4);
    build_bitmap<<<(n + 255) / 256, 256>>>(v, bits, 0.25f, 0.75f, n);
    std::vector<unsigned> out(n / 32);
    cudaMemcpy(out.data(), bits, n / 8, cudaMemcpyDeviceToHost);
    printf("%08x\n", out[7]);
}
