//@case {"kernel": "gains", "launches": [{"blocks": 4096, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "atomics"}}]}
__global__ void gains(const float* grads, const float* rows, const float* scales,
                      float* gain, int columns) {
  __shared__ float scale;
  if (threadIdx.x == 0) scale = scales[blockIdx.x];
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    atomicAdd(&gain[c], grads[blockIdx.x * columns + c] * rows[blockIdx.x * columns + c] * scale); //@ globalAtomics=65536 globalAtomicPasses=65536 globalAtomicLanes=2097152 storedFirst=64
}

void run(const float* grads, const float* rows, const float* scales, float* gain, int count, int columns) {
  gains<<<count, 128>>>(grads, rows, scales, gain, columns);
}
