// task: entry-rs03-area
// source: rs
// does: adds up whole numbers in single precision, which is exact up to 2^24
// caught by: wrong values
// why wrong: a picture of 512 x 512 of middle grey adds up to 33 million, whose odd sums single precision cannot hold

__global__ void along_rows(const unsigned char* x, float* s, int h, int w) {
  int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (r >= h) return;
  float carry = 0.0f;
  for (int first = 0; first < w; first += 32) {
    int c = first + lane;
    float sum = c < w ? x[(size_t)r * w + c] : 0.0f;
    for (int step = 1; step < 32; step *= 2) {
      float before = __shfl_up_sync(~0u, sum, step);
      if (lane >= step) sum += before;
    }
    if (c < w) s[(size_t)r * w + c] = carry + sum;
    carry += __shfl_sync(~0u, sum, 31);
  }
}

__global__ void along_columns(const float* part, int* s, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= w) return;
  float sum = 0.0f;
  for (int r = 0; r < h; ++r) s[(size_t)r * w + c] = (int)(sum += part[(size_t)r * w + c]);
}

void areas(const unsigned char* x, int* s, int h, int w) {
  float* part;
  cudaMalloc(&part, sizeof(float) * h * w);
  along_rows<<<(h + 3) / 4, 128>>>(x, part, h, w);
  along_columns<<<(w + 31) / 32, 32>>>(part, s, h, w);
  cudaFree(part);
}
