//@case {"kernel": "shift"}
__global__ void shift(float* xyz, float dx, float dy, float dz) {
  float* p = xyz + (blockIdx.x * blockDim.x + threadIdx.x) * 3;
  *p++ += dx;  //@ globalStoreRequests=8 globalLoadRequests=8
  *p++ += dy;  //@ globalStoreRequests=8 globalLoadRequests=8
  *p += dz;  //@ globalStoreRequests=8 globalLoadRequests=8
}
