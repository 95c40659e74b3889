// task: cuda-add
// does: float4 with a tail

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 l = *reinterpret_cast<const float4*>(a + i), r = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(l.x + r.x, l.y + r.y, l.z + r.z, l.w + r.w);
  } else {
    for (int j = i; j < n; ++j) out[j] = a[j] + b[j];
  }
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 511) / 512, 128>>>(a, b, out, n); }
