//@case {"kernel": "grow"}
__global__ void grow(float* x, float by) {
  int i = threadIdx.x;
  x[i] += by;  //@ globalStoreRequests=64 globalLoadRequests=64
  x[i] *= by;
  x[i] -= by;
}
