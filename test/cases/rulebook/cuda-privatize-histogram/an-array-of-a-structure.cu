//@case {"kernel": "levels", "launches": []}
struct Tables {
  unsigned seen[64];
  int highest[64];
};

__global__ void levels(const unsigned char* image, const int* weight, Tables* tables, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int level = image[i] >> 2;
  atomicAdd(&tables->seen[level], 1u);  //@ globalAtomics=1000 globalAtomicPasses=8000
  atomicMax(&(tables->highest[level]), weight[i]);  //@ globalAtomics=1000 globalAtomicPasses=8000
}

void run(const unsigned char* image, const int* weight, Tables* tables, int n) {
  levels<<<(n + 255) / 256, 256>>>(image, weight, tables, n);
}
