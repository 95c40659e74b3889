//@case {"kernel": "field"}
// The field of each site of a torus.
__global__ void field(const float* spin, const int* offset, float* out, int side, int count) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= side) return;
  float sum = 0.0f;
  for (int j = 0; j < count; j++) {
    int column = (x + offset[2 * j] + side) % side;  //@ instructions=9000
    int row = (y + offset[2 * j + 1] + side) % side;  //@ instructions=9000
    sum += spin[row * side + column];
  }
  out[y * side + x] = sum;
}
