// task: cuda-add
// does: loads past the first cache in inline PTX

__device__ __forceinline__ float streamed(const float* from) {
  float value;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
  return value;
}

__global__ void add(const float* a, const float* b, float* out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(streamed(a + i)), "f"(streamed(b + i)));
  __stcs(out + i, sum);
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 255) / 256, 256>>>(a, b, out, n); }
