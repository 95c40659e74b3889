//@case {"kernel": "decay"}
__global__ void decay(const float* x, float* y, const int* length, int most, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float state = 0.f;
  for (int i = 0; i < length[r]; ++i) {
    state = 0.5f * state + x[r * most + i]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
    y[r * most + i] = state; //@ globalStoreSectors=4096 globalStoreSectorsIdeal=512
  }
}
void run(const float* x, float* y, const int* length, int most, int rows) {
  decay<<<(rows + 127) / 128, 128>>>(x, y, length, most, rows);
}
