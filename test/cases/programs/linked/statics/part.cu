static __device__ int own = 3;
namespace {
__device__ int hidden = 4;
__device__ int helper() { return 10 * own + hidden; }
__global__ void run(int *out) { *out = helper(); }
} // namespace

int outer() {
  int *out, value = 0;
  cudaMalloc(&out, sizeof(int));
  run<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return value;
}

void setOuter(int value) { cudaMemcpyToSymbol(own, &value, sizeof value); }
