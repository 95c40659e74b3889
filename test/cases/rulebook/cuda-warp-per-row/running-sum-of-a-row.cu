//@case {"kernel": "cumsum_rows", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::cumsum", "arguments": ["x", "y", "R", "C"]}}, "shapes": [{"sizes": {"R": 512, "C": 512}}]}}
__global__ void cumsum_rows(const float* x, float* y, int R, int C) {
  int r = threadIdx.x + blockIdx.x * blockDim.x;
  if (r >= R) return;
  float run = 0.f;
  for (int c = 0; c < C; ++c) {
    run += x[r * C + c]; //@ globalLoadSectors=262144 globalLoadSectorsIdeal=32768
    y[r * C + c] = run; //@ globalStoreSectors=262144 globalStoreSectorsIdeal=32768
  }
}
void cumsum(const float* x, float* y, int R, int C) { cumsum_rows<<<(R + 63) / 64, 64>>>(x, y, R, C); }
