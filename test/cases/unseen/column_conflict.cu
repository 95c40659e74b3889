// each thread of a warp sums one row of a 32x32 tile
__global__ void col_reduce(const float* in, float* out, int n) {
  __shared__ float t[32][32];
  int base = blockIdx.x * 32;
  for (int r = 0; r < 32; ++r)
    if (base + r < n) t[r][threadIdx.x] = in[(base + r) * 32 + threadIdx.x];
    else t[r][threadIdx.x] = 0.f;
  __syncthreads();
  float s = 0.f;
  for (int c = 0; c < 32; ++c) s += t[threadIdx.x][c];
  if (base + threadIdx.x < n) out[base + threadIdx.x] = s;
}
void launch(const float* in, float* out, int n) { col_reduce<<<(n + 31) / 32, 32>>>(in, out, n); }
