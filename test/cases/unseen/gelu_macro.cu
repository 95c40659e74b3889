#define CUBE(v) powf((v), 3.0f)
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__global__ void gelu_tanh(const int nthreads, const float* bottom, float* top) {
  CUDA_KERNEL_LOOP(index, nthreads) {
    const float v = bottom[index];
    top[index] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * CUBE(v))));
  }
}

void gelu(int nthreads, const float* bottom, float* top) {
  gelu_tanh<<<(nthreads + 511) / 512, 512>>>(nthreads, bottom, top);
}
