// A warp for each row of 256, kept in registers.
__global__ void warp_softmax(const float4* __restrict__ x, float4* __restrict__ y, int rows) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float4 a = x[row * 64 + lane], b = x[row * 64 + 32 + lane];
  float m = fmaxf(fmaxf(fmaxf(a.x, a.y), fmaxf(a.z, a.w)), fmaxf(fmaxf(b.x, b.y), fmaxf(b.z, b.w)));
  for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  a.x = __expf(a.x - m); a.y = __expf(a.y - m); a.z = __expf(a.z - m); a.w = __expf(a.w - m);
  b.x = __expf(b.x - m); b.y = __expf(b.y - m); b.z = __expf(b.z - m); b.w = __expf(b.w - m);
  float s = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
  for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
  float r = __frcp_rn(s);
  y[row * 64 + lane] = make_float4(a.x * r, a.y * r, a.z * r, a.w * r);
  y[row * 64 + 32 + lane] = make_float4(b.x * r, b.y * r, b.z * r, b.w * r);
}
