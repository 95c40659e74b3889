//@case {"kernel": "tally"}
__global__ void tally(const int* keys, unsigned* bins, int n, int many) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int key = keys[i];
  if (key < many)
    atomicAdd(bins + key, 1u); //@ globalAtomics=1024 globalAtomicPasses=4096
}
void run(const int* keys, unsigned* bins, int n, int many) { tally<<<(n + 255) / 256, 256>>>(keys, bins, n, many); }
