//@case {"kernel": "moments"}
class Moments {
 public:
  float *sum, *squares;
  float* greatest;
};

__global__ void moments(const float* table, int rows, int columns, Moments m) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  m.sum[c] = 0.0f;
  m.greatest[c] = table[c];
  for (int r = 0; r < rows; ++r) {
    const float v = table[r * columns + c];
    m.sum[c] += v;  //@ globalStoreRequests=4096 globalLoadRequests=12288
    m.squares[c] += v * v;
    if (v > m.greatest[c]) m.greatest[c] = v;
  }
}
