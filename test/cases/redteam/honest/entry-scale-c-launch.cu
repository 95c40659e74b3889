// task: entry-scale
// does: launches by the plain C function, with a list of pointers to its arguments

namespace {
template <typename Value>
__global__ void scale(const Value* x, Value* y, int n, Value factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}
}  // namespace

void scaled(const float* x, float* y, int n) {
  float factor = 2.5f;
  void* arguments[] = {&x, &y, &n, &factor};
  const auto kernel = reinterpret_cast<const void*>(&scale<float>);
  cudaLaunchKernel(kernel, dim3((n + 127) / 128), dim3(128), arguments, 0, nullptr);
}
