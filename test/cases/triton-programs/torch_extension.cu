#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/library.h>
#include <cstdio>

__global__ void scale_kernel(const float *x, float *out, float factor, int size) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < size) out[index] = factor * x[index];
  if (index == 0) printf("scaled %d\n", size);
}
__global__ void beyond_kernel(float *x) { x[1 << 28] = 1; }

at::Tensor scale(const at::Tensor &x, double factor) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  const at::cuda::OptionalCUDAGuard guard(x.device());
  at::Tensor out = at::empty_like(x);
  const int size = static_cast<int>(x.numel());
  scale_kernel<<<(size + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.const_data_ptr<float>(), out.mutable_data_ptr<float>(), static_cast<float>(factor), size);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

void move(const at::Tensor &from, const at::Tensor &to) {
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(cudaMemcpyAsync(to.mutable_data_ptr(), from.const_data_ptr(), from.nbytes(), cudaMemcpyDeviceToDevice, stream));
  C10_CUDA_CHECK(cudaMemsetAsync(from.mutable_data_ptr(), 0, from.nbytes(), stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
}

void beyond(const at::Tensor &x) {
  beyond_kernel<<<1, 1>>>(x.mutable_data_ptr<float>());
  C10_CUDA_CHECK(cudaDeviceSynchronize());
}

int64_t multiprocessors() { return at::cuda::getCurrentDeviceProperties()->multiProcessorCount; }

TORCH_LIBRARY(example, m) {
  m.def("scale(Tensor x, float factor) -> Tensor");
  m.impl("scale", c10::DispatchKey::CUDA, &scale);
  m.def("move(Tensor source, Tensor target) -> ()");
  m.impl("move", c10::DispatchKey::CUDA, &move);
  m.def("beyond(Tensor x) -> ()");
  m.impl("beyond", c10::DispatchKey::CUDA, &beyond);
  m.def("multiprocessors() -> int", &multiprocessors);
}
