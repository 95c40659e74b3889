#include "libraries/blas/multiply.hpp"

#include <algorithm>

#include "libraries/blas/kernel.hpp"

namespace kernelwright::blas {
namespace {

/** Terms between two roundings of a sum of halves: those of one tensor core instruction. */
constexpr size_t kHalfTerms = 16;

float toTf32(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  // 10 bits of fraction, to the nearest; ties away from zero, as cvt.rna does.
  bits = (bits + 0x1000u) & ~0x1fffu;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

template <typename T> void roundInputs(std::vector<T> &values, Rounding rounding) {
  if constexpr (std::is_same_v<T, float>) {
    for (float &value : values) {
      if (rounding == Rounding::tf32) value = toTf32(value);
      if (rounding == Rounding::halfInputs) value = __half2float(__float2half_rn(value));
      if (rounding == Rounding::bfloatInputs) value = __bfloat162float(__float2bfloat16_rn(value));
    }
  }
}

/** A factor as it is multiplied: conjugated and rounded, but not yet transposed. */
template <typename T>
cudaError_t readFactor(Matrix<T> &matrix, const Place &place, cublasOperation_t op, Rounding rounding) {
  const cudaError_t error = read(matrix, place);
  if (error != cudaSuccess) return error;
  roundInputs(matrix.values, rounding);
  if (op == CUBLAS_OP_C || op == CUBLAS_OP_CONJG) {
    for (T &value : matrix.values)
      value = conjugate(value);
  }
  return cudaSuccess;
}

bool transposes(cublasOperation_t op) { return op == CUBLAS_OP_T || op == CUBLAS_OP_C; }

template <typename T> View<T> viewOf(const Matrix<T> &matrix, bool transposed) {
  const T *values = matrix.values.data();
  return transposed ? View<T>{values, matrix.rows, 1} : View<T>{values, 1, matrix.rows};
}

template <typename T> void addRounded(const View<T> &a, const View<T> &b, Shape shape, std::vector<T> &sums) {
  if constexpr (std::is_same_v<T, float>) {
    for (size_t term = 0; term < shape.depth; term += kHalfTerms) {
      const size_t terms = std::min(kHalfTerms, shape.depth - term);
      const View<T> left = {a.values + term * a.columnStep, a.rowStep, a.columnStep};
      const View<T> right = {b.values + term * b.rowStep, b.rowStep, b.columnStep};
      addProduct(left, right, {shape.rows, shape.columns, terms}, sums.data());
      for (T &sum : sums)
        sum = __half2float(__float2half_rn(sum));
    }
  }
}

struct Turned {
  bool a;
  bool b;
};

/** The product of two factors in `sums`, which hold zeros. */
template <typename T>
void addPlain(Matrix<T> a, Matrix<T> b, Shape shape, Turned turned, std::vector<T> &sums) {
  auto &last = LastProduct<T>::only();
  const bool isLong = LastProduct<T>::isWorth(shape);
  if (isLong && last.recall(a.values, b.values, shape, turned.a, turned.b, sums)) return;
  addProduct(viewOf(a, turned.a), viewOf(b, turned.b), shape, sums.data());
  if (isLong) last.keep(std::move(a.values), std::move(b.values), shape, turned.a, turned.b, sums);
}

template <typename T> T scalarAs(std::complex<double> value) {
  if constexpr (IsComplex<T>::value)
    return T(value);
  else
    return static_cast<T>(value.real());
}

template <typename T>
cudaError_t addFactors(const Multiplication &what, const Operands &operands, Matrix<T> &sums) {
  const size_t rows = sums.rows;
  const size_t columns = sums.columns;
  const size_t depth = static_cast<size_t>(what.depth);
  const bool turnedA = transposes(what.opA);
  const bool turnedB = transposes(what.opB);
  Matrix<T> a(turnedA ? depth : rows, turnedA ? rows : depth);
  Matrix<T> b(turnedB ? columns : depth, turnedB ? depth : columns);
  cudaError_t error = readFactor(a, operands.a, what.opA, what.rounding);
  if (error == cudaSuccess) error = readFactor(b, operands.b, what.opB, what.rounding);
  if (error != cudaSuccess) return error;
  const Shape shape = {rows, columns, depth};
  if (what.rounding == Rounding::halfSums)
    addRounded(viewOf(a, turnedA), viewOf(b, turnedB), shape, sums.values);
  else
    addPlain(std::move(a), std::move(b), shape, {turnedA, turnedB}, sums.values);
  return cudaSuccess;
}

template <typename T>
cudaError_t multiplyAs(const Multiplication &what, const Operands &operands, T alpha, T beta) {
  Matrix<T> sums(static_cast<size_t>(what.rows), static_cast<size_t>(what.columns));
  // What is multiplied with 0 is not read (cuBLAS documentation, gemm).
  cudaError_t error = cudaSuccess;
  if (alpha != T(0) && what.depth > 0) error = addFactors(what, operands, sums);
  if (error != cudaSuccess) return error;
  for (T &sum : sums.values)
    sum *= alpha;
  if (beta != T(0)) {
    Matrix<T> before(sums.rows, sums.columns);
    error = read(before, operands.c);
    if (error != cudaSuccess) return error;
    for (size_t index = 0; index < sums.values.size(); ++index)
      sums.values[index] += beta * before.values[index];
  }
  if constexpr (std::is_same_v<T, float>) {
    if (operands.epilogue != nullptr) error = operands.epilogue->apply(sums);
    if (error != cudaSuccess) return error;
  }
  return write(sums, operands.d);
}

std::string leadingProblem(const char *name, long long leading, int rows) {
  if (leading >= std::max(1, rows)) return {};
  return std::string("the leading dimension of ") + name + " is " + std::to_string(leading) + ", but " +
         name + " has " + std::to_string(rows) + " rows";
}

} // namespace

Multiplication describe(cublasComputeType_t compute, cudaDataType inputs, cudaDataType outputs,
                        cublasMath_t mathMode) {
  Multiplication what = {};
  const bool complexNumbers = isComplex(inputs) || isComplex(outputs);
  const int mode = static_cast<int>(mathMode) & 15;
  what.arithmetic = complexNumbers ? Arithmetic::complexSingle : Arithmetic::single;
  what.scalarType = complexNumbers ? CUDA_C_32F : CUDA_R_32F;
  what.rounding =
      inputs == CUDA_R_32F && mode == CUBLAS_TF32_TENSOR_OP_MATH ? Rounding::tf32 : Rounding::none;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    what.rounding = Rounding::halfSums;
    what.scalarType = CUDA_R_16F;
    break;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    break;
  case CUBLAS_COMPUTE_32F_PEDANTIC:
    what.rounding = Rounding::none;
    break;
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    what.rounding = Rounding::tf32;
    break;
  case CUBLAS_COMPUTE_32F_FAST_16F:
    what.rounding = Rounding::halfInputs;
    break;
  case CUBLAS_COMPUTE_32F_FAST_16BF:
    what.rounding = Rounding::bfloatInputs;
    break;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    what.arithmetic = complexNumbers ? Arithmetic::complexTwice : Arithmetic::twice;
    what.scalarType = complexNumbers ? CUDA_C_64F : CUDA_R_64F;
    what.rounding = Rounding::none;
    break;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    // Sums of products of bytes are exact in a double.
    what.arithmetic = Arithmetic::twice;
    what.scalarType = outputs == CUDA_R_32I ? CUDA_R_32I : CUDA_R_32F;
    what.rounding = Rounding::none;
    break;
  default:
    what.arithmetic = Arithmetic::unknown;
  }
  return what;
}

AnyScalar::AnyScalar(const void *address, cudaDataType type, bool onDevice)
    : address_(address), type_(type), onDevice_(onDevice) {
  if (!onDevice && address != nullptr) std::memcpy(bytes_, address, bytesOf(type));
}

cudaError_t AnyScalar::read(std::complex<double> &value) const {
  char bytes[16];
  std::memcpy(bytes, bytes_, sizeof bytes);
  if (onDevice_) {
    char *source = static_cast<char *>(const_cast<void *>(address_));
    const cudaError_t error = readOperand(bytes, {source, bytesOf(type_)}, {bytesOf(type_), 1});
    if (error != cudaSuccess) return error;
  }
  widen(bytes, type_, 1, &value);
  return cudaSuccess;
}

std::string problemOf(const Multiplication &what, const Operands &operands) {
  const int sizes[] = {what.rows, what.columns, what.depth};
  for (const int size : sizes) {
    if (size < 0) return "a size of " + std::to_string(size);
  }
  const std::string problems[] = {
      leadingProblem("A", operands.a.leading, transposes(what.opA) ? what.depth : what.rows),
      leadingProblem("B", operands.b.leading, transposes(what.opB) ? what.columns : what.depth),
      leadingProblem("C", operands.c.leading, what.rows)};
  for (const std::string &problem : problems) {
    if (!problem.empty()) return problem;
  }
  return {};
}

cudaError_t multiply(const Multiplication &what, const Operands &operands, const AnyScalar &alpha,
                     const AnyScalar &beta) {
  if (what.rows == 0 || what.columns == 0) return cudaSuccess;
  std::complex<double> factor;
  std::complex<double> kept;
  cudaError_t error = alpha.read(factor);
  if (error == cudaSuccess) error = beta.read(kept);
  if (error != cudaSuccess) return error;
  switch (what.arithmetic) {
  case Arithmetic::single:
    return multiplyAs(what, operands, scalarAs<float>(factor), scalarAs<float>(kept));
  case Arithmetic::twice:
    return multiplyAs(what, operands, scalarAs<double>(factor), scalarAs<double>(kept));
  case Arithmetic::complexSingle:
    return multiplyAs(what, operands, scalarAs<std::complex<float>>(factor),
                      scalarAs<std::complex<float>>(kept));
  default:
    return multiplyAs(what, operands, factor, kept);
  }
}

} // namespace kernelwright::blas
