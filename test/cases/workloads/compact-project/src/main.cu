#include <cstdio>
#include <vector>
#include "compact.h"

int main()
{
    const int count = 5000;
    std::vector<float> values(count), kept(count);
    for (int i = 0; i < count; ++i) values[i] = (i * 7919 % 1000) / 500.0f - 1.0f;
    float *in, *out;
    cudaMalloc(&in, count * sizeof(float));
    cudaMalloc(&out, count * sizeof(float));
    cudaMemcpy(in, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    const int found = compact_positive(in, out, count);
    cudaMemcpy(kept.data(), out, found * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < count; ++i)
        if (values[i] > 0.0f && kept[right++] != values[i]) return 1;
    std::printf("%d kept\n", found);
    return right != found;
}
