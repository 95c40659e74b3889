//@case {"kernel": "survey"}
struct Summary { unsigned long long bytes; int longest; int shortest; float total; };
__global__ void survey(const int* length, const float* price, Summary* all, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMax(&all->longest, length[i]);  //@ globalAtomics=32 globalAtomicPasses=1024
  atomicMin(&all->shortest, length[i]);  //@ globalAtomics=32 globalAtomicPasses=1024
  atomicAdd(&all->bytes, (unsigned long long)length[i]);  //@ globalAtomics=32 globalAtomicPasses=1024
  atomicAdd(&all->total, price[i]);  //@ globalAtomics=32 globalAtomicPasses=1024
}
void run(const int* length, const float* price, Summary* all, int n) { survey<<<(n + 255) / 256, 256>>>(length, price, all, n); }
