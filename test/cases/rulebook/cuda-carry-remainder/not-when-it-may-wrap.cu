//@case {"kernel": "probe"}
__global__ void probe(const unsigned* keys, const unsigned* table, int* found, unsigned capacity, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i];
  for (unsigned step = 0; step < capacity; ++step) {
    unsigned slot = (key + step) % capacity;  //@ instructions=9000
    if (table[slot] == key) { found[i] = 1; break; }
  }
}
