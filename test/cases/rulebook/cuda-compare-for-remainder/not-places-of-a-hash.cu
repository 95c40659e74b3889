//@case {"kernel": "spread"}
__global__ void spread(const int* keys, int* slots, int size, int n, unsigned ring) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int slot = (keys[i] * 31 + size) % size;  //@ instructions=9000
  unsigned other = (slot * 3u + ring) % ring;  //@ instructions=9000
  slots[slot] = other;
}
