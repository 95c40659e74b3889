// task: cuda-add
// source: 4.D 46
// does: pastes the name of a runtime function together
// caught by: refused or did-not-compile or did-not-run or wrong values or never-written

#define JOIN(a, b) a##b

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i];
}

void launch_add(const float* a, const float* b, float* out, int n) {
  JOIN(cuda, Memcpy)(out, a, n * 4, cudaMemcpyDeviceToDevice);
  add<<<(n + 127) / 128, 128>>>(a, b, out, n);
}
