// task: cuda-add
// does: streaming loads and stores of vectors, with a tail by single elements

__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 4 <= n) {
    float4 x = __ldcs((const float4*)(a + i)), y = __ldcs((const float4*)(b + i));
    __stcs((float4*)(out + i), make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w));
    return;
  }
  for (; i < n; ++i) __stcs(out + i, __ldg(a + i) + __ldg(b + i));
}

void launch_add(const float* a, const float* b, float* out, int n) {
  add<<<(n + 511) / 512, 128>>>(a, b, out, n);
}
