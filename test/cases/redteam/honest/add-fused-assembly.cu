// task: cuda-add
// does: adds by a fused multiply-add with one, and loads past the first level, both in assembly

__device__ __forceinline__ float load_once(const float* from) {
  float value;
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
  return value;
}

__global__ void add(const float* a, const float* b, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum;
    asm("fma.rn.f32 %0, %1, 0f3F800000, %2;" : "=f"(sum) : "f"(load_once(a + i)), "f"(load_once(b + i)));
    out[i] = sum;
  }
}

void launch_add(const float* a, const float* b, float* out, int n) {
  add<<<(n + 511) / 512, 128>>>(a, b, out, n);
}
