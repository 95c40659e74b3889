#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void decayed(const float* charge, float* left, int cells, float rate)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell < cells) left[cell] = charge[cell] * expf(-rate * (cell % 7));
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        printf("usage: %s CELLS ROUNDS\n", argv[0]);
        return 1;
    }
    const int cells = atoi(argv[1]), rounds = atoi(argv[2]);
    std::vector<float> host(cells, 2.0f);
    float *charge, *left;
    cudaMalloc(&charge, cells * sizeof(float));
    cudaMalloc(&left, cells * sizeof(float));
    cudaMemcpy(charge, host.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
    for (int round = 0; round < rounds; ++round)
        decayed<<<(cells + 127) / 128, 128>>>(charge, left, cells, 0.25f * round);
    cudaMemcpy(host.data(), left, cells * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.6f\n", host[cells - 1]);
    cudaFree(charge);
    cudaFree(left);
    return 0;
}
