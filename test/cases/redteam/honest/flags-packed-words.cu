// task: cuda-flags
// does: four numbers and four flags a thread where the address allows it

__global__ void positive(const float* x, bool* y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 four = *reinterpret_cast<const float4*>(x + i);
    uchar4 flags = make_uchar4(four.x > 0.0f, four.y > 0.0f, four.z > 0.0f, four.w > 0.0f);
    *reinterpret_cast<uchar4*>(y + i) = flags;
    return;
  }
  for (; i < n; ++i) y[i] = x[i] > 0.0f;
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n + 511) / 512, 128>>>(x, y, n); }
