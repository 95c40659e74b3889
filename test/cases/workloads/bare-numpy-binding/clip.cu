#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <stdexcept>

namespace py = pybind11;
using namespace pybind11::literals;

__global__ void clip(const float* values, float* clipped, float limit, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) clipped[i] = fminf(fmaxf(values[i], -limit), limit);
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

py::array_t<float> clip_array(py::array_t<float> values, float limit) {
  const auto given = values.request();
  py::array_t<float> result(given.size);
  float *from, *to;
  check(cudaMalloc(&from, given.size * sizeof(float)));
  check(cudaMalloc(&to, given.size * sizeof(float)));
  check(cudaMemcpy(from, given.ptr, given.size * sizeof(float), cudaMemcpyHostToDevice));
  clip<<<(given.size + 255) / 256, 256>>>(from, to, limit, given.size);
  check(cudaMemcpy(result.request().ptr, to, given.size * sizeof(float), cudaMemcpyDeviceToHost));
  cudaFree(from);
  cudaFree(to);
  return result;
}

PYBIND11_MODULE(clipping, module) {
  module.def("clip", &clip_array, "values"_a, "limit"_a);
}
