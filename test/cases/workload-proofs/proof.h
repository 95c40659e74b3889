// Helpers of the programs that compare the kernels of the corpus with plain loops on the host.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>

inline uint32_t bits() { static uint32_t s = 1; s = s * 1664525u + 1013904223u; return s >> 4; }
inline double uniform(double lo, double hi) { return lo + (hi - lo) * (bits() % 100003) / 100003.0; }
inline std::vector<float> floats(size_t n, double lo = -1, double hi = 1) { std::vector<float> v(n); for (auto& x : v) x = (float)uniform(lo, hi); return v; }
template <class T> std::vector<T> whole(size_t n, int lo, int hi) { std::vector<T> v(n); for (auto& x : v) x = T(lo + (int)(bits() % (uint32_t)(hi - lo))); return v; }
/// A copy of v on the device.
template <class T> T* dev(const std::vector<T>& v) { T* p; cudaMalloc(&p, v.size() * sizeof(T)); cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); return p; }
template <class T> T* room(size_t n) { T* p; cudaMalloc(&p, n * sizeof(T)); return p; }
template <class T> std::vector<T> host(const T* p, size_t n) { std::vector<T> v(n); cudaMemcpy((void*)v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost); if (cudaGetLastError()) { puts("a call failed"); exit(1); } return v; }
/// Ends the program with 1 where the two are not within tol of each other, relative to 1 + |want|.
template <class A, class B> void same(const char* what, const A& got, const B& want, double tol = 1e-4)
{
  if (got.size() != want.size()) { printf("%s: %zu elements, %zu expected\n", what, got.size(), want.size()); exit(1); }
  for (size_t i = 0; i < want.size(); i++)
    if (!(std::fabs((double)got[i] - (double)want[i]) <= tol * (1 + std::fabs((double)want[i])))) {
      printf("%s[%zu] is %g, %g expected\n", what, i, (double)got[i], (double)want[i]);
      exit(1);
    }
}
