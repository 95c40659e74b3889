// D = alpha op(A) op(B) + beta C with numbers of any type: what all products of cuBLAS and cuBLASLt are.
#pragma once

#include "libraries/blas/handle.hpp"
#include "libraries/blas/matrices.hpp"

namespace kernelwright::blas {

/** The numbers that sums are made of. */
enum class Arithmetic { single, twice, complexSingle, complexTwice, unknown };

/** How inputs or sums are rounded on top of that. */
enum class Rounding { none, tf32, halfInputs, bfloatInputs, halfSums };

/** A product of matrices without its addresses. */
struct Multiplication {
  cublasOperation_t opA;
  cublasOperation_t opB;
  int rows;
  int columns;
  int depth;
  Arithmetic arithmetic;
  Rounding rounding;
  /** What alpha and beta are. */
  cudaDataType scalarType;
};

/** What a product does to its result before it is rounded to the type of D. `row` and `column` are those of
 * D. */
struct Epilogue {
  virtual ~Epilogue() = default;
  virtual cudaError_t apply(Matrix<float> &result) const = 0;
};

struct Operands {
  Place a;
  Place b;
  Place c;
  Place d;
  const Epilogue *epilogue = nullptr;
};

/** The type of a call's sums, from its compute type and what it multiplies. */
Multiplication describe(cublasComputeType_t compute, cudaDataType inputs, cudaDataType outputs,
                        cublasMath_t mathMode);

/** A scalar of one of the types that scalars have. */
class AnyScalar {
public:
  AnyScalar(const void *address, cudaDataType type, bool onDevice);
  bool isNull() const { return address_ == nullptr; }
  cudaError_t read(std::complex<double> &value) const;

private:
  const void *address_;
  cudaDataType type_;
  bool onDevice_;
  char bytes_[16] = {};
};

/** Computes one product and waits for it. */
cudaError_t multiply(const Multiplication &what, const Operands &operands, const AnyScalar &alpha,
                     const AnyScalar &beta);

/** What is wrong with sizes and leading dimensions; empty when nothing is. */
std::string problemOf(const Multiplication &what, const Operands &operands);

} // namespace kernelwright::blas
