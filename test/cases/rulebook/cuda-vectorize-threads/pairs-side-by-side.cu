//@case {"kernel": "turn"}
// Real and imaginary parts next to each other, by way of names for both places; changed in place.
__global__ void turn(float* z, const float* gains, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned re = 2 * i, im = re + 1;
    const float g = gains[i]; //@ instructions=3000 globalLoadRequests=512 globalLoadSectors=2048 globalBytesRequested=65536
    const float t = z[re]; //@ instructions=3000 globalLoadRequests=512 globalLoadSectors=4096 globalBytesRequested=65536
    z[re] = -g * z[im]; //@ instructions=3000 globalLoadRequests=512 globalLoadSectors=4096 globalStoreRequests=512 globalStoreSectors=4096 globalBytesRequested=131072
    z[im] = g * t; //@ instructions=3000 globalStoreRequests=512 globalStoreSectors=4096 globalBytesRequested=65536
  }
}
void run(float* z, const float* gains, unsigned n) { turn<<<432, 256>>>(z, gains, n); }
