//@case {"kernel": "twice"}
__global__ void twice(const int* __restrict__ in, int* __restrict__ out, int n)
{
    const unsigned int start = 4 * (threadIdx.x + blockDim.x * blockIdx.x);
    for (int k = 0; k < 4; k++)
        if (start + k < n) out[start + k] = 2 * in[start + k];  //@ globalLoadSectors=800 globalLoadSectorsIdeal=200
}
