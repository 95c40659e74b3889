//@case {"kernel": "alive"}
template <typename Cell>
__global__ void alive(const Cell* now, Cell* next, int wide, int high) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wide || y >= high) return;
  const int left = (x - 1 + wide) % wide, right = (x + 1) % wide;  //@ instructions=9000
  const int up = (y + high - 1) % high, down = (y + 1) % high;  //@ instructions=9000
  next[y * wide + x] = now[y * wide + left] + now[y * wide + right] + now[up * wide + x] + now[down * wide + x];
}
