// What a cuBLAS handle holds, and how a call of the library begins and ends.
#pragma once

#include <cublas_api.h>

#include <string>

#include "memory/operands.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int multiprocessorTarget = 0;
};

namespace kernelwright::blas {

/** cuBLAS's word for an error of the runtime. */
cublasStatus_t statusOf(cudaError_t error);

/** Tells the user what is wrong with the arguments of a call. Gives CUBLAS_STATUS_INVALID_VALUE. */
cublasStatus_t invalid(const char *function, const std::string &what);
/** Tells the user what the virtual GPU's library lacks. Gives CUBLAS_STATUS_NOT_SUPPORTED. */
cublasStatus_t unsupported(const char *function, const std::string &what);

/** Does a call's work in the handle's stream. */
cublasStatus_t inStream(cublasHandle_t handle, const std::function<cudaError_t()> &work);

/** A number that the program gives by its address: on the host it is read at the call, on the device when the
 * work is done. */
template <typename T> class Scalar {
public:
  Scalar(cublasHandle_t handle, const T *address) : address_(address) {
    onDevice_ = handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
    if (!onDevice_ && address != nullptr) value_ = *address;
  }
  bool isNull() const { return address_ == nullptr; }
  cudaError_t read(T &value) const {
    value = value_;
    if (!onDevice_) return cudaSuccess;
    char *bytes = reinterpret_cast<char *>(const_cast<T *>(address_));
    return readOperand(&value, {bytes, sizeof(T)}, {sizeof(T), 1});
  }

private:
  const T *address_;
  bool onDevice_;
  T value_ = {};
};

/** Where a call leaves a single result: as the pointer mode says. */
template <typename T> cudaError_t giveResult(bool onDevice, T *address, T value) {
  if (onDevice) return writeOperand({reinterpret_cast<char *>(address), sizeof(T)}, &value, {sizeof(T), 1});
  *address = value;
  return cudaSuccess;
}

} // namespace kernelwright::blas
