#pragma once
#include <cstdio>
#include <cstdlib>

/** Ends the program when a value is not what it has to be. */
#define CHECK(what, is, wanted)                                                        \
  do {                                                                                 \
    const double got = static_cast<double>(is);                                        \
    if (got != static_cast<double>(wanted)) {                                          \
      std::printf("%s is %g and not %g\n", what, got, static_cast<double>(wanted));    \
      std::exit(9);                                                                    \
    }                                                                                  \
    std::printf("%s: %g\n", what, got);                                                \
  } while (0)

/** Waits for everything and fails loudly. */
inline void finish(const char *what) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  std::exit(8);
}

/** The first number of device memory. */
template <typename Number> Number read(const Number *from) {
  Number value;
  cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
