// Kernels that launch others and ask the runtime for something that it does not tell kernels here.
__global__ void child(int *out) { *out = 1; }
__global__ void parent(int *out) {
  size_t bytes = 0;
  cudaDeviceGetLimit(&bytes, cudaLimitStackSize);
  child<<<1, 1>>>(out);
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  parent<<<1, 1>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
