// Checked calls and the choice of a device, by the names that NVIDIA's samples give them. Written for
// programs that came without the samples' Common folder; a header of the program's own goes first.
#ifndef KERNELWRIGHT_HELPER_CUDA_H
#define KERNELWRIGHT_HELPER_CUDA_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

/** A status of another library, of which the number alone is known. */
template <class Status>
const char *_cudaGetErrorEnum(Status) {
  return "an error of a library";
}

/** Ends the program when a call has failed. */
template <class Status>
void check(Status result, const char *call, const char *file, const int line) {
  if (!static_cast<unsigned>(result)) return;
  fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\" \n", file, line, static_cast<unsigned>(result),
          _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}

#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

inline void __printLastCudaError(const char *message, const char *file, const int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
          static_cast<int>(error), cudaGetErrorString(error));
}

inline void __getLastCudaError(const char *message, const char *file, const int line) {
  if (cudaPeekAtLastError() == cudaSuccess) return;
  __printLastCudaError(message, file, line);
  exit(EXIT_FAILURE);
}

/** The nearest whole number, halves away from zero. */
inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5 : value - 0.5); }

/** Lanes for single precision of a multiprocessor. */
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major == 6) return minor == 0 ? 64 : 128;
  if (major == 7) return 64;
  if (major == 8) return minor == 0 ? 64 : 128;
  return 128;
}

inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  if (major == 6) return "Pascal";
  if (major == 7) return minor == 5 ? "Turing" : "Volta";
  if (major == 8) return minor == 9 ? "Ada" : "Ampere";
  if (major == 9) return "Hopper";
  return major >= 10 ? "Blackwell" : "Maxwell";
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    fprintf(stderr, "gpuDeviceInit(): no devices supporting CUDA.\n");
    exit(EXIT_FAILURE);
  }
  const int chosen = device < 0 ? 0 : device;
  if (chosen >= count) return -chosen;
  checkCudaErrors(cudaSetDevice(chosen));
  return chosen;
}

/** The device with the most multiprocessors. */
inline int gpuGetMaxGflopsDeviceId() {
  int count = 0, best = 0, most = -1;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    int multiprocessors = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (multiprocessors > most) {
      most = multiprocessors;
      best = device;
    }
  }
  return best;
}

/** What `-device=N` names, else the best. */
inline int findCudaDevice(int argc, const char **argv) {
  const bool named = checkCmdLineFlag(argc, argv, "device");
  const int wanted = named ? getCmdLineArgumentInt(argc, argv, "device") : gpuGetMaxGflopsDeviceId();
  const int device = gpuDeviceInit(wanted);
  if (device < 0) {
    printf("exiting...\n");
    exit(EXIT_FAILURE);
  }
  int major = 0, minor = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, _ConvertSMVer2ArchName(major, minor),
         major, minor);
  return device;
}

/** The first device that shares the host's memory; -1 where there is none. */
inline int findIntegratedGPU() {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    int integrated = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, device));
    if (integrated == 0) continue;
    checkCudaErrors(cudaSetDevice(device));
    return device;
  }
  return -1;
}

/** Whether the present device has at least that compute capability. */
inline bool checkCudaCapabilities(int wantedMajor, int wantedMinor) {
  int device = 0, major = 0, minor = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  if (major > wantedMajor || (major == wantedMajor && minor >= wantedMinor)) return true;
  printf("The device has compute capability %d.%d, and %d.%d is needed\n", major, minor, wantedMajor, wantedMinor);
  return false;
}

#endif
