__global__ void in_range(const int* values, bool* mask, int count, int lower, int upper)
{
    auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) { mask[i] = values[i] >= lower && values[i] < upper; }
}
