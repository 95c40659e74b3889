//@case {"kernel": "gelu"}
#define CUBE(v) powf((v), 3.0f)
#define KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define TX threadIdx.x
#define WAIT __syncthreads()
#define TWICE(v) ((v) + (v))
#define TWICE(v) (2 * (v))
__global__ void gelu(const int count, const float* in, float* out) {
  __shared__ float kept[64];
  kept[TX] = 0.0f;
  WAIT;
  KERNEL_LOOP(index, count) {
    const float v = in[index];
    out[index] = v * (1.0f + tanhf(v + CUBE(v))) + TWICE(v) + kept[TX];
  }
}
