//@case {"kernel": "carry", "copies": 600, "launches": [{"blocks": 4096, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 8, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void carry(const float* now, float* then, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) then[i] = 0.5f * now[i];
}
void run(float* dye, float* spare, int cells, int steps, cudaStream_t stream) {
  int left = steps;
  while (left-- > 0) {
    carry<<<(cells + 255) / 256, 256, 0, stream>>>(dye, spare, cells);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(dye, spare, cells * sizeof(float), cudaMemcpyDeviceToDevice, stream));
  }
}
