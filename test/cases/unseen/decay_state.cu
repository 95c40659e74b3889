#include <cuda_runtime.h>

// leaky integrate-and-fire neurons, spikes are counted

extern __shared__ float membrane[];

__global__ void lif(const float* __restrict__ current, int* __restrict__ spikes, float leak, float thresh,
                    int neurons, int steps)
{
    int nid = blockIdx.x * blockDim.x + threadIdx.x;
    int fired = 0;

    membrane[threadIdx.x] = 0.0f;
    __syncthreads();

    for (int step = 0; step < steps; step++) {
        float in = 0.0f;
        if (nid < neurons) in = current[(long)step * neurons + nid];
        membrane[threadIdx.x] = membrane[threadIdx.x] * leak + in;
        __syncthreads();
        if (membrane[threadIdx.x] >= thresh) {
            fired++;
            membrane[threadIdx.x] -= thresh;
        }
        __syncthreads();
    }
    if (nid < neurons) spikes[nid] = fired;
}

void simulate(const float* current, int* spikes, float leak, float thresh, int neurons, int steps)
{
    int tpb = 256;
    lif<<<(neurons + tpb - 1) / tpb, tpb, tpb * sizeof(float)>>>(current, spikes, leak, thresh, neurons, steps);
}
