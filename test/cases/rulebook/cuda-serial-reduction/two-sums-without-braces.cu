//@case {"kernel": "energy"}
struct Wave { float re, im; };
__global__ void energy(const Wave* x, float* y) {
  __shared__ Wave parts[256];
  parts[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x]; //@ instructions=2000
  __syncthreads();
  if (threadIdx.x == 0) {
    Wave total{0.0f, 0.0f};
    for (int k = 0; k < 256; k++)
      total.re += parts[k].re, total.im += parts[k].im; //@ instructions=6000
    y[blockIdx.x] = total.re * total.re + total.im * total.im;
  }
}
void run(const Wave* x, float* y, int n) { energy<<<n / 256, 256>>>(x, y); }
