static __device__ int own = 5;
namespace {
__device__ int hidden = 6;
__device__ int helper() { return 10 * own + hidden; }
__global__ void run(int *out) { *out = helper(); }
} // namespace

int inner() {
  int *out, value = 0;
  cudaMalloc(&out, sizeof(int));
  run<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return value;
}
