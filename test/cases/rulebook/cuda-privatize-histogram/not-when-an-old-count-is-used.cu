//@case {"kernel": "levels", "launches": []}
__global__ void levels(const unsigned char* image, int* count, int* order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&count[image[i]], 1);  //@ globalAtomics=1000 globalAtomicPasses=8000
  if (image[i] == 7) order[i] = atomicAdd(&count[7], 1);
}

void run(const unsigned char* image, int* count, int* order, int n) {
  levels<<<(n + 255) / 256, 256>>>(image, count, order, n);
}
