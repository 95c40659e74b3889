//@case {"kernel": "grow"}
typedef unsigned int u32;
struct Box { u32 lower[3]; u32 upper[3]; long long seen; u32 flags; };

__global__ void grow(const u32* keys, int n, Box* box) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(&box->lower[0], keys[i]);  //@ globalAtomics=1000 globalAtomicPasses=32000
  atomicMax(&box->upper[2], keys[i]);  //@ globalAtomics=1000 globalAtomicPasses=32000
  atomicMax(&box->seen, (long long)i);  //@ globalAtomics=1000 globalAtomicPasses=32000
  atomicOr(&box->flags, keys[i] & 7u);  //@ globalAtomics=1000 globalAtomicPasses=32000
}

void run(const u32* keys, int n, Box* box) { grow<<<(n + 255) / 256, 256>>>(keys, n, box); }
