#include <cstdint>
#include <cstdio>
#include <vector>
// selection vector: one bit per tuple
__global__ void select_tuples(const int* price, const int* discount, uint32_t* __restrict__ mask, int rows) {
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        bool ok = price[row] > 100 && discount[row] <= 7;
        uint32_t bit = ok ? 1u : 0u;
        atomicOr(mask + row / 32, bit << (row % 32));
    }
}
int main() {
    const int rows = 1000000;
    std::vector<int> p(rows), d(rows);
    unsigned s = 99;
    for (int i = 0; i < rows; i++) { s = s * 1664525u + 1013904223u; p[i] = (s >> 10) % 300; d[i] = (s >> 20) % 11; }
    int *dp, *dd; uint32_t* m;
    cudaMalloc(&dp, rows * 4); cudaMalloc(&dd, rows * 4); cudaMalloc(&m, (rows + 31) / 32 * 4);
    cudaMemcpy(dp, p.data(), rows * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dd, d.data(), rows * 4, cudaMemcpyHostToDevice);
    cudaMemset(m, 0, (rows + 31) / 32 * 4);
    select_tuples<<<864, 256>>>(dp, dd, m, rows);
    std::vector<uint32_t> out((rows + 31) / 32);
    cudaMemcpy(out.data(), m, out.size() * 4, cudaMemcpyDeviceToHost);
    unsigned x = 0;
    for (auto w : out) x ^= w;
    printf("%08x\n", x);
}
