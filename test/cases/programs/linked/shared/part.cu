extern __shared__ int dynamic[];

static __device__ __noinline__ int rotated(int value) {
  __shared__ int room[32];
  room[31 - threadIdx.x] = value;
  __syncthreads();
  return room[threadIdx.x];
}

__device__ int reversed(int value) { return rotated(value); }
__device__ void addFromThere(int by) { dynamic[threadIdx.x] += by; }
