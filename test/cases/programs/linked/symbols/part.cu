__device__ int counter = 100;
__constant__ float factors[4] = {10, 20, 30, 40};
__device__ float rows[4] = {1, 2, 3, 4};

__device__ float scaled(float value, int which) { return value * factors[which]; }
extern "C" __device__ double plain(double value) { return value * value; }

int counterOfPart() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, counter, sizeof value);
  return value;
}
