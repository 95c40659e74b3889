// task: cuda-flags
// does: four flags in one word that is put together by byte permutation, and a tail of single ones

__global__ void positive(const float* x, bool* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int whole = n / 4;
  if (i < whole) {
    float4 v = reinterpret_cast<const float4*>(x)[i];
    unsigned low = (v.x > 0.0f ? 1u : 0u) | (v.y > 0.0f ? 0x100u : 0u);
    unsigned high = (v.z > 0.0f ? 1u : 0u) | (v.w > 0.0f ? 0x100u : 0u);
    reinterpret_cast<unsigned*>(y)[i] = __byte_perm(low, high, 0x5410);
  } else if (i - whole < n % 4) {
    y[4 * whole + i - whole] = x[4 * whole + i - whole] > 0.0f;
  }
}

void launch_positive(const float* x, bool* y, int n) { positive<<<(n / 4 + n % 4 + 127) / 128, 128>>>(x, y, n); }
