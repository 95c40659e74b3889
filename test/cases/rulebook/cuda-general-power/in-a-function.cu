//@case {"kernel": "encode"}
// The base is positive as a rule, and the exponent the caller's.
__device__ float curve(float v, float g) {
  return 1.055f * powf(v, 1.0f / g) - 0.055f; //@ instructions=60000
}
__global__ void encode(const float* light, float* out, float gamma, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = curve(light[i], gamma) + std::pow(fabsf(light[i]), gamma); //@ instructions=20000
}
void run(const float* light, float* out, float gamma, int n) { encode<<<(n + 255) / 256, 256>>>(light, out, gamma, n); }
