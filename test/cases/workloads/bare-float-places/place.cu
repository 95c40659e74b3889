// keys go to the places that a scan has counted, which it left as floats
__global__ void put_in_place(const float *keys, const float *places, float *sorted, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int to = (int)places[i] - 1;
    sorted[to] = keys[i];
}
