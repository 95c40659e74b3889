//@case {"kernel": "zonal", "spec": {"run": {"kind": "launch", "launch": {"grid": ["23", "1", "1"], "block": ["128", "1", "1"], "arguments": ["field", "means", "seen", {"value": "rows", "dtype": "int32"}, {"value": "n", "dtype": "int32"}]}}, "program": {"file": "case.cu", "arguments": [], "compileOptions": []}, "shapes": [{"sizes": {"rows": 2884, "n": 1440}}]}}
#include <cstdio>
static const int NLON = 1440;
__global__ void zonal(const float *field, float *means, int *seen, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float s = 0.0f;
    int count = 0;
    for (int i = 0; i < n; i++) {
      float x = field[(long)row * n + i]; //@ globalLoadRequests=1000 globalLoadSectors=32000 globalLoadSectorsIdeal=4000
      if (x > -1e30f) {
        s += x;
        count++;
      }
    }
    means[row] = count > 0 ? s / count : 0.0f;
    seen[row] = count;
  }
}
int main() {
  const int rows = 4 * 721;
  float *field, *means;
  int *seen;
  cudaMalloc(&field, sizeof(float) * rows * NLON);
  cudaMalloc(&means, sizeof(float) * rows);
  cudaMalloc(&seen, sizeof(int) * rows);
  zonal<<<(rows + 127) / 128, 128>>>(field, means, seen, rows, NLON);
  std::printf("%d\n", (int)cudaDeviceSynchronize());
}
