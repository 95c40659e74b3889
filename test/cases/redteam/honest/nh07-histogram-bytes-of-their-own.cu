// task: cuda-histogram
// does: each thread counts in bytes of its own without atomics, and the block adds them up by dot products of bytes before any of them could overflow

__global__ void histogram(const unsigned char* pixels, int* counts, int n) {
  __shared__ unsigned words[256 * 16];
  unsigned char* own = reinterpret_cast<unsigned char*>(words) + threadIdx.x;
  for (int w = threadIdx.x; w < 256 * 16; w += 64) words[w] = 0;
  __syncthreads();
  long long stride = static_cast<long long>(gridDim.x) * 64;
  for (long long first = static_cast<long long>(blockIdx.x) * 64; first < n; first += stride * 255) {
    long long i = first + threadIdx.x;
    for (int turn = 0; turn < 255 && i < n; ++turn, i += stride) ++own[pixels[i] * 64];
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += 64) {
      unsigned sum = 0;
#pragma unroll
      for (int w = 0; w < 16; ++w) {
        // Not all threads begin with the same bank.
        unsigned* word = words + bin * 16 + (w + threadIdx.x) % 16;
        sum = __dp4a(*word, 0x01010101u, sum);
        *word = 0;
      }
      if (sum != 0) atomicAdd(counts + bin, static_cast<int>(sum));
    }
    __syncthreads();
  }
}

void launch_histogram(const unsigned char* pixels, int* counts, int n) {
  histogram<<<(n + 4095) / 4096, 64>>>(pixels, counts, n);
}
