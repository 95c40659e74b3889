// The algorithms of simulator.py: the same threads, the same loops.

constexpr int kThreads = 64;
constexpr int kTile = 16;

extern "C" __global__ void softmax(const float* x, float* y, int columns) {
  __shared__ float scratch[kThreads];
  int thread = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float most = -INFINITY;
  for (int column = thread; column < columns; column += kThreads) most = fmaxf(most, row[column]);
  scratch[thread] = most;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (thread < step) scratch[thread] = fmaxf(scratch[thread], scratch[thread + step]);
    __syncthreads();
  }
  most = scratch[0];
  __syncthreads();
  float total = 0.0f;
  for (int column = thread; column < columns; column += kThreads) total += expf(row[column] - most);
  scratch[thread] = total;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (thread < step) scratch[thread] += scratch[thread + step];
    __syncthreads();
  }
  total = scratch[0];
  for (int column = thread; column < columns; column += kThreads) y[blockIdx.x * columns + column] = expf(row[column] - most) / total;
}

extern "C" __global__ void layer_norm(const float* x, const float* weight, const float* bias, float* y, int columns, float epsilon) {
  __shared__ float sums[kThreads];
  __shared__ float squares[kThreads];
  int thread = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float total = 0.0f, square = 0.0f;
  for (int column = thread; column < columns; column += kThreads) {
    float value = row[column];
    total += value;
    square += value * value;
  }
  sums[thread] = total;
  squares[thread] = square;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (thread < step) {
      sums[thread] += sums[thread + step];
      squares[thread] += squares[thread + step];
    }
    __syncthreads();
  }
  float mean = sums[0] / columns;
  float scale = rsqrtf(squares[0] / columns - mean * mean + epsilon);
  for (int column = thread; column < columns; column += kThreads) {
    y[blockIdx.x * columns + column] = (row[column] - mean) * scale * weight[column] + bias[column];
  }
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int size) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  float total = 0.0f;
  for (int start = 0; start < size; start += kTile) {
    tileA[y][x] = a[row * size + start + x];
    tileB[y][x] = b[(start + y) * size + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) total += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * size + column] = total;
}
