//@case {"kernel": "scatter"}
__global__ void scatter(const int* keys, int* fill, int* sorted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int place = atomicAdd(&fill[keys[i]], 1); //@ globalAtomics=1024 globalAtomicPasses=4096
    sorted[place] = i;
  }
}
void run(const int* keys, int* fill, int* sorted, int n) { scatter<<<(n + 255) / 256, 256>>>(keys, fill, sorted, n); }
