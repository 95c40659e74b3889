#include <cmath>
#include <cstdio>
#include <vector>

// Blends two rows at many lengths, and says itself whether that was right.
__global__ void blend(const float *a, const float *b, float *out, float part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a[i] + (b[i] - a[i]) * part;
}

int main() {
  const int most = 4000;
  std::vector<float> a(most), b(most), out(most);
  for (int i = 0; i < most; ++i) {
    a[i] = (i % 17) * 0.25f;
    b[i] = (i % 31) * 0.5f;
  }
  float *da, *db, *dout;
  cudaMalloc(&da, most * sizeof(float));
  cudaMalloc(&db, most * sizeof(float));
  cudaMalloc(&dout, most * sizeof(float));
  cudaMemcpy(da, a.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int n = most; n > most - 2000; n -= 100) {
    blend<<<(n + 127) / 128, 128>>>(da, db, dout, 0.3f, n);
    cudaMemcpy(out.data(), dout, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      if (std::fabs(out[i] - (a[i] + (b[i] - a[i]) * 0.3f)) > 1e-5f) ++wrong;
  }
  printf("buffers at %p\n", static_cast<void *>(dout));
  fprintf(stderr, wrong == 0 ? "no mismatch\n" : "MISMATCH\n");
  printf(wrong == 0 ? "Test PASSED\n" : "Test FAILED\n");
  return wrong == 0 ? 0 : 1;
}
