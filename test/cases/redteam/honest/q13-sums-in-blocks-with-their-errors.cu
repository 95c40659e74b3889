// task: cuda-exact-sums
// source: q
// does: gives each row a block, whose threads add up shares with their errors (Neumaier) and put sums and errors together in a plain tree

__global__ void exact_sums(const float* x, float* y, int rows, int columns) {
  __shared__ float sums[128], errors[128];
  const float* own = x + (size_t)blockIdx.x * columns;
  float sum = 0.0f, lost = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 128) {
    float term = own[c], total = sum + term;
    lost += fabsf(sum) >= fabsf(term) ? (sum - total) + term : (term - total) + sum;
    sum = total;
  }
  sums[threadIdx.x] = sum;
  errors[threadIdx.x] = lost;
  for (int step = 64; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) {
      sums[threadIdx.x] += sums[threadIdx.x + step];
      errors[threadIdx.x] += errors[threadIdx.x + step];
    }
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0] + errors[0];
}

void launch_exact_sums(const float* x, float* y, int rows, int columns) {
  exact_sums<<<rows, 128>>>(x, y, rows, columns);
}
