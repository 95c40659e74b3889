// Fees by band: the limits of the bands ascend, and an order pays the rate of the band that it falls into.
__global__ void fees(const float* amounts, const float* limits, const float* rates, float* owed, int orders, int bands) {
  int order = blockIdx.x * blockDim.x + threadIdx.x;
  if (order >= orders) return;
  float amount = amounts[order];
  int band = 0;
  while (band + 1 < bands && amount >= limits[band]) {
    band += 1;
  }
  owed[order] = amount * rates[band];
}
