//@case {"kernel": "rotate"}
constexpr int kHead = 128;
__global__ void rotate(float* q, const float* turn, const int* starts, int half) {
  for (int h = starts[blockIdx.x] + threadIdx.x; h < starts[blockIdx.x + 1]; h += blockDim.x) {
    float* row = q + (size_t)h * kHead;
    for (int d = 0; d < half; ++d) {
      const float low = row[d], high = row[d + half];  //@ globalLoadSectors=33000 globalLoadSectorsIdeal=5000
      row[d] = low * turn[2 * d] - high * turn[2 * d + 1];
      row[d + half] = low * turn[2 * d + 1] + high * turn[2 * d];
    }
  }
}
void run(float* q, const float* turn, const int* starts, int sequences, int half) {
  rotate<<<sequences, 64>>>(q, turn, starts, half);
}
