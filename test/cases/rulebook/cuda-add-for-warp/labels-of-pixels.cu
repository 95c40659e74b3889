//@case {"kernel": "accumulate"}
struct Sums { unsigned count, red; };
/* One record for each label. */
extern "C" __global__ void accumulate(const unsigned char* image, const int* labels, Sums* sums, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  Sums* own = &sums[labels[y * width + x]];
  atomicAdd(&own->count, 1u); //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=30000
  atomicAdd(&own->red, image[y * width + x]); //@ globalAtomics=1024 globalAtomicLanes=32768 globalAtomicPasses=30000
}
