// task: cuda-p04-round
// does: rounds, limits and converts by one instruction, and asks for what is no number; two at once

__device__ int nearest_of(double v) { return v == v ? __double2int_rn(v) : 0; }

__global__ void nearest(const double* x, int* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i + 1 < n) {
    double2 both = *reinterpret_cast<const double2*>(x + i);
    *reinterpret_cast<int2*>(y + i) = make_int2(nearest_of(both.x), nearest_of(both.y));
  } else if (i < n) {
    y[i] = nearest_of(x[i]);
  }
}

void rounded(const double* x, int* y, int n) { nearest<<<(n + 511) / 512, 256>>>(x, y, n); }
