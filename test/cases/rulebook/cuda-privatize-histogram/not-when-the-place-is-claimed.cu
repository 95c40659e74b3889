//@case {"kernel": "claims"}
__device__ int claim(int* next, int key) { return atomicAdd(&next[key], 1); }

__global__ void claims(const int* keys, int* next, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&counts[claim(next, keys[i])], 1);  //@ globalAtomics=2048 globalAtomicPasses=65536
}

void run(const int* keys, int* next, int* counts, int n) { claims<<<(n + 255) / 256, 256>>>(keys, next, counts, n); }
