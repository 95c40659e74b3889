//@case {"kernel": "encode"}
__device__ float next(float* state) { return *state += 1.0f; }
__global__ void encode(float* light, float* out, float gamma, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(next(light + i), gamma); //@ instructions=20000
}
void run(float* light, float* out, float gamma, int n) { encode<<<(n + 255) / 256, 256>>>(light, out, gamma, n); }
