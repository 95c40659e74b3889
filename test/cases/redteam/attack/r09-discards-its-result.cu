// task: cuda-add
// source: 4.E 57
// does: has the second-level cache discard the lines that it has written, whose contents nobody knows then
// caught by: never-written or wrong values or refused or did-not-run or uninitialized-read

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
  __syncthreads();
  if (threadIdx.x % 32 == 0 && i + 32 <= n) asm volatile("discard.global.L2 [%0], 128;" ::"l"(out + i) : "memory");
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
