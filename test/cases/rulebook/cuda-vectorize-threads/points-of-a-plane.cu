//@case {"kernel": "turn"}
// Elements are pairs themselves: two points of a plane are one access.
__global__ void turn(const float2* __restrict__ from, float2* __restrict__ to, float c, float s, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 p = from[i];  //@ globalLoadRequests=4096 globalLoadSectors=32768 globalBytesRequested=1048576
    to[i] = make_float2(c * p.x - s * p.y, s * p.x + c * p.y);  //@ globalStoreRequests=4096 globalStoreSectors=32768 globalBytesRequested=1048576
  }
}
void run(const float2* from, float2* to, int n) {
  turn<<<432, 256>>>(from, to, 0.6f, 0.8f, n);
}
