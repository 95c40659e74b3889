constexpr int HOURS = 200;

// What each meter owes: the tariff of all hours is kept near, for as many hours as fit.
__global__ void owed(const float *usage, const float *tariff, float *bill, int meters, int hours) {
  __shared__ float price[HOURS];
  for (int hour = threadIdx.x; hour < hours; hour += blockDim.x) price[hour] = tariff[hour];
  __syncthreads();
  const int meter = blockIdx.x * blockDim.x + threadIdx.x;
  if (meter >= meters) return;
  float sum = 0.0f;
  for (int hour = 0; hour < hours; ++hour) sum += price[hour] * usage[meter * hours + hour];
  bill[meter] = sum;
}
