// task: cuda-mean
// source: z
// does: takes memory of the device's heap in each block and never frees it, so that 8 MiB are used up after some calls
// caught by: heap-never-freed

__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float4* parts;
  int t = threadIdx.x;
  if (t == 0) parts = static_cast<float4*>(malloc(128 * sizeof(float4)));
  __syncthreads();
  const float* row = x + blockIdx.x * columns;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  int c = t;
  for (; c + 384 < columns; c += 512) {
    sum.x += row[c];
    sum.y += row[c + 128];
    sum.z += row[c + 256];
    sum.w += row[c + 384];
  }
  for (; c < columns; c += 128) sum.x += row[c];
  parts[t] = sum;
  __syncthreads();
  if (t < 32) {
    float all = 0.0f;
    for (int p = t; p < 128; p += 32) {
      float4 other = parts[p];
      all += (other.x + other.y) + (other.z + other.w);
    }
    for (int o = 16; o; o /= 2) all += __shfl_xor_sync(~0u, all, o);
    if (t == 0) y[blockIdx.x] = all / columns;
  }
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 128>>>(x, y, rows, columns); }
