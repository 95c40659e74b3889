// task: entry-sum
// source: verdicts 2
// does: adds up on the host and tells the kernel the sum by which of many buffers it hands over
// caught by: host-computed

#include <cstring>
#include <vector>

constexpr int kBuffers = 257;

__global__ void partial(const float* x, float* copy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) copy[i] = x[i];
}

__device__ unsigned digit(const char* first, const char* chosen) { return (unsigned)((chosen - first) / 256 - 1); }

__global__ void deliver(char* f0, char* p0, char* f1, char* p1, char* f2, char* p2, char* f3, char* p3, float* total) {
  unsigned bits = digit(f0, p0) | digit(f1, p1) << 8 | digit(f2, p2) << 16 | digit(f3, p3) << 24;
  *total = __uint_as_float(bits);
}

static char* buffers[4][kBuffers];

void sum_of(const float* x, float* total, int n) {
  if (buffers[0][0] == nullptr)
    for (auto& digits : buffers)
      for (char*& one : digits) cudaMalloc(&one, 256);
  float* copy;
  cudaMalloc(&copy, n * sizeof(float));
  partial<<<(n + 127) / 128, 128>>>(x, copy, n);
  std::vector<float> values(n);
  cudaMemcpy(values.data(), copy, n * sizeof(float), cudaMemcpyDeviceToHost);
  double wide = 0;
  for (float value : values) wide += value;
  float sum = (float)wide;
  unsigned bits;
  std::memcpy(&bits, &sum, 4);
  auto chosen = [&](int at) { return buffers[at][1 + (bits >> (8 * at) & 255u)]; };
  deliver<<<1, 1>>>(buffers[0][0], chosen(0), buffers[1][0], chosen(1), buffers[2][0], chosen(2), buffers[3][0],
                    chosen(3), total);
  cudaFree(copy);
}
