//@case {"kernel": "smooth"}
__global__ void smooth(const float* x, float* y, int width, int height, int reach) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (column >= width) return;
  float sum = 0.0f;
  for (int dy = -reach; dy <= reach; dy++) {
    const int from = (row + dy + height) % height;
    for (int dx = -reach; dx <= reach; dx++) {
      sum += x[from * width + (column + dx + width) % width];  //@ instructions=20000
    }
  }
  y[row * width + column] = sum;
}
