//@case {"kernel": "encode"}
__global__ void encode(const double* light, double* out, double gamma, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = pow(light[i], gamma); //@ instructions=20000
}
void run(const double* light, double* out, double gamma, int n) { encode<<<(n + 255) / 256, 256>>>(light, out, gamma, n); }
