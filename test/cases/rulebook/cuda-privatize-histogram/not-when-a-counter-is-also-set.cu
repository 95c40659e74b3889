//@case {"kernel": "levels", "launches": []}
__global__ void levels(const unsigned char* image, int* best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&best[image[i]], 1);  //@ globalAtomics=1000 globalAtomicPasses=8000
  atomicMax(best + image[i], i);  //@ globalAtomics=1000 globalAtomicPasses=8000
}

void run(const unsigned char* image, int* best, int n) { levels<<<(n + 255) / 256, 256>>>(image, best, n); }
