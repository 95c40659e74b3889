// task: entry-rs03-area
// does: adds up 128 pixels at a time in single precision, which is exact far below 2^24, and the pieces as whole numbers

__global__ void along_rows(const unsigned char* __restrict__ x, int* __restrict__ s, int h, int w) {
  int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (r >= h) return;
  const unsigned char* row = x + (size_t)r * w;
  int* out = s + (size_t)r * w;
  int carry = 0;
  for (int first = 0; first < w; first += 128) {
    int c = first + 4 * lane;
    float part[4], sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) part[i] = sum += c + i < w ? (float)row[c + i] : 0.0f;
    float all = sum;
    for (int step = 1; step < 32; step *= 2) {
      float before = __shfl_up_sync(~0u, all, step);
      if (lane >= step) all += before;
    }
    float before = all - sum;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (c + i < w) out[c + i] = carry + __float2int_rn(before + part[i]);
    carry += __float2int_rn(__shfl_sync(~0u, all, 31));
  }
}

__global__ void along_columns(int* s, int h, int w) {
  // 32 columns by 8 stretches of rows: sums of stretches first, then from where each begins.
  __shared__ int sums[8][32];
  int c = blockIdx.x * 32 + threadIdx.x, stretch = (h + 7) / 8;
  int from = min(h, (int)threadIdx.y * stretch), to = min(h, from + stretch);
  int sum = 0;
  if (c < w)
    for (int r = from; r < to; ++r) sum += s[(size_t)r * w + c];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (c >= w) return;
  sum = 0;
  for (int p = 0; p < threadIdx.y; ++p) sum += sums[p][threadIdx.x];
  for (int r = from; r < to; ++r) s[(size_t)r * w + c] = sum += s[(size_t)r * w + c];
}

void areas(const unsigned char* x, int* s, int h, int w) {
  along_rows<<<(h + 7) / 8, 256>>>(x, s, h, w);
  along_columns<<<(w + 31) / 32, dim3(32, 8)>>>(s, h, w);
}
