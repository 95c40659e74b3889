#include <cstdio>
#include <vector>

// the grid is rounded down: the last elements are never reached
__global__ void add_one(int* v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}

int main()
{
    const int n = 1000;
    std::vector<int> h(n, 41);
    int* d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    add_one<<<n / 256, 256>>>(d, n);
    cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int v : h) bad += v != 42;
    std::printf(bad ? "FAILED: %d wrong\n" : "ok\n", bad);
    return bad != 0;
}
