// The scan before it leaves the number of survivors on the device.
__global__ void damp_survivors(const float* __restrict__ speed, const int* n_alive, float* __restrict__ damped,
                               float drag)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= *n_alive) return;
    damped[i] = speed[i] - drag * speed[i] * fabsf(speed[i]);
}

__global__ void add_active(float* potential, const float* change, const unsigned int* counters)
{
    const unsigned int active = counters[0];
    for (unsigned int k = threadIdx.x + blockIdx.x * blockDim.x; k < active; k += gridDim.x * blockDim.x)
        potential[k] += change[k];
}
