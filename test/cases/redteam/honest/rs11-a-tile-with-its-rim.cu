// task: entry-rs11-gradients
// does: brings a tile with its rim to shared memory in 32 x 8 threads, and takes the root of a square from a whole number

__global__ void gradient(const unsigned char* __restrict__ x, float* __restrict__ strength, float* __restrict__ direction, int h, int w) {
  __shared__ short tile[10][36];
  int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 10 * 34; i += 256) {
    int r = min(max(top + i / 34, 0), h - 1), c = min(max(left + i % 34, 0), w - 1);
    tile[i / 34][i % 34] = x[r * w + c];
  }
  __syncthreads();
  int c = left + 1 + threadIdx.x, r = top + 1 + threadIdx.y;
  if (c >= w || r >= h) return;
  int dx = tile[threadIdx.y + 1][threadIdx.x + 2] - tile[threadIdx.y + 1][threadIdx.x];
  int dy = tile[threadIdx.y + 2][threadIdx.x + 1] - tile[threadIdx.y][threadIdx.x + 1];
  strength[r * w + c] = sqrtf(__int2float_rn(dx * dx + dy * dy));
  // By an octant and a quotient of at most one; two zeros have the direction zero.
  int big = max(abs(dx), abs(dy)), small = min(abs(dx), abs(dy));
  float angle = big ? atanf((float)small / (float)big) : 0.0f;
  if (abs(dy) > abs(dx)) angle = 1.57079637f - angle;
  if (dx < 0) angle = 3.14159274f - angle;
  direction[r * w + c] = dy < 0 ? -angle : angle;
}

void gradients(const unsigned char* x, float* strength, float* direction, int h, int w) {
  gradient<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, strength, direction, h, w);
}
