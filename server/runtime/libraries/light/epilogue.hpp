// What cuBLASLt does to a product before it is rounded to its type.
#pragma once

#include "libraries/blas/multiply.hpp"
#include "libraries/light/descriptors.hpp"

namespace kernelwright::light {

/** The epilogue of one product of a batch. */
class LightEpilogue final : public blas::Epilogue {
public:
  /** `operands`: of this product. `turned`: the result is computed transposed, since D has rows one behind
   * the other. */
  LightEpilogue(const Operation &operation, cudaDataType outputs, long long batch, bool turned);
  cudaError_t apply(blas::Matrix<float> &result) const override;

private:
  cudaError_t addBias(blas::Matrix<float> &result) const;
  cudaError_t activate(blas::Matrix<float> &result) const;
  cudaError_t differentiate(blas::Matrix<float> &result) const;
  cudaError_t giveBiasGradient(const blas::Matrix<float> &result) const;
  cudaError_t maskBySign(blas::Matrix<float> &result) const;
  blas::Strided biasPlace() const;
  blas::Place auxiliaryPlace() const;
  size_t rowsOf(const blas::Matrix<float> &result) const;
  cudaError_t scale(blas::Matrix<float> &result) const;

  const Operation operation_;
  const cudaDataType outputs_;
  const long long batch_;
  const bool turned_;
};

} // namespace kernelwright::light
