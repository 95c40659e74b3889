#include <torch/extension.h>

torch::Tensor swish_forward_cuda(torch::Tensor x, double beta);

torch::Tensor swish_forward(torch::Tensor x, double beta) {
  TORCH_CHECK(x.is_cuda(), "x must be on the GPU");
  TORCH_CHECK(x.is_contiguous(), "x must be contiguous");
  return swish_forward_cuda(x, beta);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &swish_forward, "x * sigmoid(beta * x)"); }
