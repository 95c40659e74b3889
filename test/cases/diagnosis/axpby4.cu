__global__ void axpby4(const float4* __restrict__ x, float4* __restrict__ y, float a, float b, int n4) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
    float4 u = x[i], v = y[i];
    v.x = a * u.x + b * v.x; v.y = a * u.y + b * v.y; v.z = a * u.z + b * v.z; v.w = a * u.w + b * v.w;
    y[i] = v;
  }
}
