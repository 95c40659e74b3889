//@case {"kernel": "walk"}
__global__ void walk(unsigned* state, int n, unsigned modulus, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned x = state[i];
    for (int k = 0; k < turns; ++k) {
      x = (x * 48271u + 11u) % modulus; //@ instructions=4000
    }
    state[i] = x;
  }
}
