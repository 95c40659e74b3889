// Takes of a recording session, each with buffers of its own.
struct Take {
    const float* recorded;
    float* levelled;
    int length;
    float gain;
};

__global__ void level_takes(const Take* takes, int count)
{
    if (blockIdx.y >= count) return;
    const Take take = takes[blockIdx.y];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < take.length; i += gridDim.x * blockDim.x)
        take.levelled[i] = take.gain * take.recorded[i];
}
