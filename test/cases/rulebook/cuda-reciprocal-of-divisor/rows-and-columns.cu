//@case {"kernel": "turn"}
// Turns the pages of a book.
template <int N>
__global__ void turn(const float* x, float* y, int count, int width, int height) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int c = i % width; //@ instructions=4000
    int r = i / width % height; //@ instructions=4000
    y[c * height + r] = x[i];
  }
}
