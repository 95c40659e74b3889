#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

inline void check(cudaError_t e) { if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e)); }

template <typename T> class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t n) : n_(n) { check(cudaMalloc((void**)&p_, n * sizeof(T))); }
  explicit DeviceBuffer(const std::vector<T>& v) : DeviceBuffer(v.size())
  { check(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice)); }
  ~DeviceBuffer() { cudaFree(p_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  T* get() const { return p_; }
  std::vector<T> read() const
  {
    std::vector<T> v(n_);
    check(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
 private:
  size_t n_;
  T* p_ = nullptr;
};
