// The part of a harness that makes one case of a whole program: its main() runs as it is, and the case is
// over when the process ends. It is compiled with the sources of the program.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" const unsigned long long *kernelwrightNextCase(unsigned status, const char *message);

namespace kernelwright_program {

constexpr unsigned beginning = 0, returned = 1;

/** The message is the exit code. */
inline void end(int code, void *) {
  char message[16];
  std::snprintf(message, sizeof message, "%d", code);
  cudaDeviceSynchronize();
  std::fflush(nullptr);
  kernelwrightNextCase(returned, message);
}

__attribute__((constructor)) inline void begin() {
  kernelwrightNextCase(beginning, "");
  on_exit(end, nullptr);
}

} // namespace kernelwright_program
