// The products of matrices: plain ones, batches at a stride and batches by pointers, of one type and of mixed
// types.
#include <cublas_v2.h>

#include "libraries/blas/multiply.hpp"

namespace kernelwright::blas {
namespace {

/** A call as its function got it. */
struct Call {
  cublasHandle_t handle;
  const char *function;
  Multiplication what;
  const void *alpha;
  const void *beta;
};

/** The numbers from one product of a batch to the next. */
struct Strides {
  long long a;
  long long b;
  long long c;
  int count;
};

struct Pointers {
  const void *const *a;
  const void *const *b;
  void *const *c;
  int count;
};

cublasStatus_t problemWith(const Call &call, const Operands &operands, int count) {
  if (call.handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (call.what.arithmetic == Arithmetic::unknown) return unsupported(call.function, "such a compute type");
  for (const Place &place : {operands.a, operands.b, operands.c}) {
    if (bytesOf(place.type) == 0)
      return unsupported(call.function, "numbers of the type " + std::to_string(place.type));
  }
  if (call.alpha == nullptr || call.beta == nullptr)
    return invalid(call.function, "alpha or beta is a null pointer");
  const std::string problem =
      count < 0 ? "a batch of " + std::to_string(count) : problemOf(call.what, operands);
  return problem.empty() ? CUBLAS_STATUS_SUCCESS : invalid(call.function, problem);
}

cublasStatus_t multiplyStrided(const Call &call, const Operands &operands, const Strides &strides) {
  const cublasStatus_t problem = problemWith(call, operands, strides.count);
  if (problem != CUBLAS_STATUS_SUCCESS) return problem;
  const bool onDevice = call.handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  const AnyScalar alpha(call.alpha, call.what.scalarType, onDevice);
  const AnyScalar beta(call.beta, call.what.scalarType, onDevice);
  const Multiplication what = call.what;
  return inStream(call.handle, [what, operands, alpha, beta, strides] {
    for (long long index = 0; index < strides.count; ++index) {
      const Operands each = {operands.a.shifted(index * strides.a), operands.b.shifted(index * strides.b),
                             operands.c.shifted(index * strides.c), operands.d.shifted(index * strides.c)};
      const cudaError_t error = multiply(what, each, alpha, beta);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

/** The addresses of a batch, which lie in device memory. */
cudaError_t readPointers(std::vector<void *> &pointers, const void *from) {
  char *bytes = static_cast<char *>(const_cast<void *>(from));
  return readOperand(pointers.data(), {bytes, 0}, {pointers.size() * sizeof(void *), 1});
}

cublasStatus_t multiplyPointed(const Call &call, const Operands &operands, const Pointers &pointers) {
  const cublasStatus_t problem = problemWith(call, operands, pointers.count);
  if (problem != CUBLAS_STATUS_SUCCESS) return problem;
  const bool onDevice = call.handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
  const AnyScalar alpha(call.alpha, call.what.scalarType, onDevice);
  const AnyScalar beta(call.beta, call.what.scalarType, onDevice);
  const Multiplication what = call.what;
  return inStream(call.handle, [what, operands, alpha, beta, pointers] {
    const size_t count = static_cast<size_t>(pointers.count);
    std::vector<void *> a(count);
    std::vector<void *> b(count);
    std::vector<void *> c(count);
    cudaError_t error = readPointers(a, pointers.a);
    if (error == cudaSuccess) error = readPointers(b, pointers.b);
    if (error == cudaSuccess) error = readPointers(c, pointers.c);
    for (size_t index = 0; error == cudaSuccess && index < count; ++index) {
      Operands each = operands;
      each.a.address = a[index];
      each.b.address = b[index];
      each.c.address = each.d.address = c[index];
      error = multiply(what, each, alpha, beta);
    }
    return error;
  });
}

/** What the functions of one type compute with. */
template <typename T> Multiplication plain(cublasHandle_t handle) {
  const cudaDataType type = typeOf<T>();
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  if (type == CUDA_R_16F) compute = CUBLAS_COMPUTE_16F;
  if (type == CUDA_R_64F || type == CUDA_C_64F) compute = CUBLAS_COMPUTE_64F;
  return describe(compute, type, type, handle == nullptr ? CUBLAS_DEFAULT_MATH : handle->mathMode);
}

template <typename T>
Operands places(const void *a, int lda, const void *b, int ldb, const void *c, int ldc) {
  constexpr cudaDataType type = typeOf<T>();
  return {{a, type, lda}, {b, type, ldb}, {c, type, ldc}, {c, type, ldc}};
}

Multiplication mixed(cublasHandle_t handle, cublasComputeType_t compute, cudaDataType inputs,
                     cudaDataType outputs) {
  return describe(compute, inputs, outputs, handle == nullptr ? CUBLAS_DEFAULT_MATH : handle->mathMode);
}

void setShape(Multiplication &what, cublasOperation_t opA, cublasOperation_t opB, const int (&sizes)[3]) {
  what.opA = opA;
  what.opB = opB;
  what.rows = sizes[0];
  what.columns = sizes[1];
  what.depth = sizes[2];
}

} // namespace
} // namespace kernelwright::blas

using namespace kernelwright::blas;

extern "C" {

#define PLAIN(name, T, Number)                                                                               \
  cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,      \
                      int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, \
                      T *C, int ldc) {                                                                       \
    Call call = {handle, __func__, plain<Number>(handle), alpha, beta};                                      \
    setShape(call.what, transa, transb, {m, n, k});                                                          \
    return multiplyStrided(call, places<Number>(A, lda, B, ldb, C, ldc), {0, 0, 0, 1});                      \
  }

#define BATCHES(X, T, Number)                                                                                \
  cublasStatus_t cublas##X##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB,        \
      const T *beta, T *C, int ldc, long long strideC, int batchCount) {                                     \
    Call call = {handle, __func__, plain<Number>(handle), alpha, beta};                                      \
    setShape(call.what, transa, transb, {m, n, k});                                                          \
    return multiplyStrided(call, places<Number>(A, lda, B, ldb, C, ldc),                                     \
                           {strideA, strideB, strideC, batchCount});                                         \
  }                                                                                                          \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                     \
                                        cublasOperation_t transb, int m, int n, int k, const T *alpha,       \
                                        const T *const A[], int lda, const T *const B[], int ldb,            \
                                        const T *beta, T *const C[], int ldc, int batchCount) {              \
    Call call = {handle, __func__, plain<Number>(handle), alpha, beta};                                      \
    setShape(call.what, transa, transb, {m, n, k});                                                          \
    const Pointers pointers = {reinterpret_cast<const void *const *>(A),                                     \
                               reinterpret_cast<const void *const *>(B), reinterpret_cast<void *const *>(C), \
                               batchCount};                                                                  \
    return multiplyPointed(call, places<Number>(nullptr, lda, nullptr, ldb, nullptr, ldc), pointers);        \
  }

#define MIXED(name, T)                                                                                       \
  cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,      \
                      int n, int k, const T *alpha, const void *A, cudaDataType Atype, int lda,              \
                      const void *B, cudaDataType Btype, int ldb, const T *beta, void *C,                    \
                      cudaDataType Ctype, int ldc) {                                                         \
    Call call = {handle, __func__, mixed(handle, CUBLAS_COMPUTE_32F, Atype, Ctype), alpha, beta};            \
    setShape(call.what, transa, transb, {m, n, k});                                                          \
    return multiplyStrided(call, {{A, Atype, lda}, {B, Btype, ldb}, {C, Ctype, ldc}, {C, Ctype, ldc}},       \
                           {0, 0, 0, 1});                                                                    \
  }

PLAIN(cublasSgemm, float, float)
PLAIN(cublasDgemm, double, double)
PLAIN(cublasCgemm, cuComplex, std::complex<float>)
PLAIN(cublasZgemm, cuDoubleComplex, std::complex<double>)
PLAIN(cublasHgemm, __half, __half)
BATCHES(S, float, float)
BATCHES(D, double, double)
BATCHES(C, cuComplex, std::complex<float>)
BATCHES(Z, cuDoubleComplex, std::complex<double>)
BATCHES(H, __half, __half)
MIXED(cublasSgemmEx, float)
MIXED(cublasCgemmEx, cuComplex)

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType Atype, int lda, long long strideA,
                                          const void *B, cudaDataType Btype, int ldb, long long strideB,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          long long strideC, int batchCount, cublasComputeType_t computeType,
                                          cublasGemmAlgo_t) {
  Call call = {handle, __func__, mixed(handle, computeType, Atype, Ctype), alpha, beta};
  setShape(call.what, transa, transb, {m, n, k});
  return multiplyStrided(call, {{A, Atype, lda}, {B, Btype, ldb}, {C, Ctype, ldc}, {C, Ctype, ldc}},
                         {strideA, strideB, strideC, batchCount});
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
                            const void *B, cudaDataType Btype, int ldb, const void *beta, void *C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  Call call = {handle, __func__, mixed(handle, computeType, Atype, Ctype), alpha, beta};
  setShape(call.what, transa, transb, {m, n, k});
  return multiplyStrided(call, {{A, Atype, lda}, {B, Btype, ldb}, {C, Ctype, ldc}, {C, Ctype, ldc}},
                         {0, 0, 0, 1});
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void *alpha, const void *const A[],
                                   cudaDataType Atype, int lda, const void *const B[], cudaDataType Btype,
                                   int ldb, const void *beta, void *const C[], cudaDataType Ctype, int ldc,
                                   int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  Call call = {handle, __func__, mixed(handle, computeType, Atype, Ctype), alpha, beta};
  setShape(call.what, transa, transb, {m, n, k});
  const Operands operands = {
      {nullptr, Atype, lda}, {nullptr, Btype, ldb}, {nullptr, Ctype, ldc}, {nullptr, Ctype, ldc}};
  return multiplyPointed(call, operands, {A, B, C, batchCount});
}

} // extern "C"
