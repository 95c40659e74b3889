//@case {"kernel": "calibrate", "launches": [{"blocks": 6, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void calibrate(const float* raw, const float* gain, float* flux, int pixels) {
  const int row = blockIdx.x;
  for (int p = threadIdx.x; p < pixels; p += blockDim.x) flux[row * pixels + p] = raw[row * pixels + p] * gain[p];  //@ instructions=40000
}

void run(const float* raw, const float* gain, float* flux, int rows, int pixels) {
  calibrate<<<rows, 128>>>(raw, gain, flux, pixels);
}
