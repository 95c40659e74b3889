// task: entry-relu
// does: clears what is negative by a fused multiply-add of pairs that ends with that, eight numbers a thread, with tails on both sides

#include <cuda_bf16.h>

#include <cstdint>

__device__ unsigned cleared(unsigned pair) {
  unsigned result;
  const unsigned one = 0x3f803f80u, minusZero = 0x80008000u;
  asm("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(pair), "r"(one), "r"(minusZero));
  return result;
}

__device__ void clear_one(const unsigned short* x, unsigned short* y, int i) {
  y[i] = (unsigned short)(cleared(x[i]) & 0xffffu);
}

__global__ void relu_kernel(const unsigned short* x, unsigned short* y, int n, int head) {
  int whole = (n - head) / 8, thread = blockIdx.x * blockDim.x + threadIdx.x;
  int tail = head + whole * 8;
  if (thread < whole) {
    uint4 v = *reinterpret_cast<const uint4*>(x + head + thread * 8);
    v.x = cleared(v.x);
    v.y = cleared(v.y);
    v.z = cleared(v.z);
    v.w = cleared(v.w);
    *reinterpret_cast<uint4*>(y + head + thread * 8) = v;
  }
  if (thread < head) clear_one(x, y, thread);
  for (int i = tail + thread; i < n; i += gridDim.x * blockDim.x) clear_one(x, y, i);
}

void relu(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  if (n <= 0) return;
  auto from = reinterpret_cast<const unsigned short*>(x);
  auto to = reinterpret_cast<unsigned short*>(y);
  uintptr_t fromAt = reinterpret_cast<uintptr_t>(x) % 16, toAt = reinterpret_cast<uintptr_t>(y) % 16;
  int head = fromAt == toAt ? (int)((16 - fromAt) % 16 / 2) : n;
  if (head > n) head = n;
  int threads = (n - head) / 8 > head ? (n - head) / 8 : head;
  if (threads < n % 8) threads = n % 8;
  relu_kernel<<<(threads + 63) / 64, 64>>>(from, to, n, head);
}
