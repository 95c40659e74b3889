// task: entry-rs09-nibbles
// does: takes four numbers a lane, eight lanes a group, and rounds by adding and taking away 1.5 * 2^23, which is exact here as rint rounds to even too

__global__ void quantise(const float4* __restrict__ x, unsigned short* __restrict__ q, float* __restrict__ scale, int groups) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  int g = (int)(i / 8);
  bool inside = g < groups;
  float4 v = inside ? x[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  // fmaxf leaves out what is no number, in any order.
  float largest = fmaxf(0.0f, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
  for (int step = 4; step; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
  float step = largest > 0.0f ? largest / 7.0f : 1.0f;
  auto code = [&](float value) {
    float cut = fminf(fmaxf(__fdiv_rn(value, step), -7.0f), 7.0f);
    return (unsigned)(__float_as_int(__fadd_rn(cut, 12582912.0f)) - 0x4b400000 + 8);
  };
  if (!inside) return;
  q[i] = (unsigned short)(code(v.x) | code(v.y) << 4 | code(v.z) << 8 | code(v.w) << 12);
  if (i % 8 == 0) scale[g] = step;
}

void quantised(const float* x, unsigned char* q, float* scale, int groups) {
  long long lanes = 8ll * groups;
  quantise<<<(unsigned)((lanes + 127) / 128), 128>>>((const float4*)x, (unsigned short*)q, scale, groups);
}
