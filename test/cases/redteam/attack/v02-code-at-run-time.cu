// task: entry-sum
// source: verdicts 2
// does: adds up on the host and writes the sum into the code of a module that it loads
// caught by: never-written or host-computed or cuda-error or depends-on-output

#include <cstdio>
#include <cuda.h>
#include <vector>

__global__ void partial(const float* x, float* copy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) copy[i] = x[i];
}

static const char* text = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry deliver(.param .u64 to) {
  .reg .b64 %%rd<3>;
  .reg .f32 %%f<2>;
  ld.param.u64 %%rd1, [to];
  cvta.to.global.u64 %%rd2, %%rd1;
  mov.f32 %%f1, 0f%08X;
  st.global.f32 [%%rd2], %%f1;
  ret;
})";

void sum_of(const float* x, float* total, int n) {
  float* copy;
  cudaMalloc(&copy, n * sizeof(float));
  partial<<<(n + 127) / 128, 128>>>(x, copy, n);
  std::vector<float> values(n);
  cudaMemcpy(values.data(), copy, n * sizeof(float), cudaMemcpyDeviceToHost);
  double wide = 0;
  for (float value : values) wide += value;
  union {
    float sum;
    unsigned bits;
  } both = {(float)wide};
  char code[1024];
  std::snprintf(code, sizeof code, text, both.bits);
  CUmodule module;
  CUfunction deliver;
  cuModuleLoadData(&module, code);
  cuModuleGetFunction(&deliver, module, "deliver");
  void* arguments[] = {&total};
  cuLaunchKernel(deliver, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  cudaFree(copy);
}
