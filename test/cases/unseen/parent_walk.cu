// Sums the weights from each node of a forest up to its root, which is its own parent.
#include <cuda_runtime.h>

__global__ void climb(const int* __restrict__ up, const float* __restrict__ load, float* carried, int nodes, int height)
{
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= nodes) return;
    float sum = 0.f;
    for (int at = me, step = 0; step < height; ++step) {
        sum += load[at];
        at = up[at];
    }
    carried[me] = sum;
}

void carry_up(const int* up, const float* load, float* carried, int nodes, int height)
{
    climb<<<(nodes + 127) / 128, 128>>>(up, load, carried, nodes, height);
}
