//@case {"kernel": "density"}
#define NORM 0.39894228040143268
#define DENSITY(x) (NORM * exp(-0.5 * (x) * (x)))
static const double SCALE = 2.5;
__global__ void density(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = SCALE * DENSITY(x[i]);  //@ fp64Instructions=4096
}
