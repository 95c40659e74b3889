// Needs blockDim.x ints of dynamic shared memory. partial[] has one entry for each block.
__global__ void blockSums(const int *input, int *partial, unsigned n)
{
  extern __shared__ int scratch[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + t;
  int v = 0;
  if (i < n) v = input[i];
  if (i + blockDim.x < n) v += input[i + blockDim.x];
  scratch[t] = v;
  for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1)
  {
    __syncthreads();
    if (t < s) scratch[t] = v = v + scratch[t + s];
  }
  if (t == 0) partial[blockIdx.x] = v;
}
