// task: cuda-histogram
// source: k
// does: counts in four counters per word, which run over into each other as soon as a warp meets one colour 256 times
// caught by: wrong values

__global__ void histogram(const unsigned char* pixels, int* counts, int n) {
  __shared__ unsigned packed[4][64];
  unsigned* mine = packed[threadIdx.x / 32];
  for (int word = threadIdx.x; word < 4 * 64; word += 128) packed[word / 64][word % 64] = 0;
  __syncthreads();
  int end = min(n, (static_cast<int>(blockIdx.x) + 1) * 4096);
  for (int i = blockIdx.x * 4096 + threadIdx.x; i < end; i += 128) {
    unsigned colour = pixels[i];
    // A warp counts 1024 pixels of 256 colours: a byte holds that.
    atomicAdd(mine + colour / 4, 1u << (8 * (colour % 4)));
  }
  __syncthreads();
  for (int colour = threadIdx.x; colour < 256; colour += 128) {
    int count = 0;
    for (int warp = 0; warp < 4; ++warp) count += packed[warp][colour / 4] >> (8 * (colour % 4)) & 255;
    if (count) atomicAdd(counts + colour, count);
  }
}

void launch_histogram(const unsigned char* pixels, int* counts, int n) {
  histogram<<<(n + 4095) / 4096, 128>>>(pixels, counts, n);
}
