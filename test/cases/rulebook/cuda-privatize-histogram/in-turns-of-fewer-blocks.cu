//@case {"kernel": "tally", "spec": {"outputs": {"bins": {"dtype": "uint32", "shape": [256]}}}}
// Each thread counts one sample and leaves early where it has none.
__global__ void tally(const unsigned char* samples, unsigned* bins, int count, int skipped) {
  const int last = count - 1;
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at > last) return;
  const unsigned char sample = samples[at];
  if (sample == skipped) return;
  atomicAdd(&bins[sample], 1u);  //@ globalAtomics=32 globalAtomicPasses=128
}

void run(const unsigned char* samples, unsigned* bins, int count, int skipped) {
  tally<<<(count + 255) / 256, 256>>>(samples, bins, count, skipped);
}
