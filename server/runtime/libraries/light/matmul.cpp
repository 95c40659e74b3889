// The products of cuBLASLt.
#include <algorithm>

#include "libraries/light/epilogue.hpp"

namespace kernelwright::light {
namespace {

using blas::Multiplication;
using blas::Operands;
using blas::Place;

constexpr uint32_t kInputGradients = CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB;

/** A call with its descriptors read. */
struct Call {
  Operation operation;
  Layout a;
  Layout b;
  Layout c;
  Layout d;
};

/** Rows one behind the other are columns of the transposed matrix. */
cublasOperation_t opOf(int32_t op, const Layout &layout, bool turnsResult) {
  const bool flips = (layout.order == CUBLASLT_ORDER_ROW) != turnsResult;
  if (!flips) return static_cast<cublasOperation_t>(op);
  if (op == CUBLAS_OP_N) return CUBLAS_OP_T;
  return op == CUBLAS_OP_T ? CUBLAS_OP_N : CUBLAS_OP_CONJG;
}

Place placeOf(const void *address, const Layout &layout, long long batch) {
  const Place first = {address, static_cast<cudaDataType>(layout.type), layout.leading};
  return first.shifted(batch * layout.batchStride);
}

/** What of a call the virtual GPU lacks; empty when it can be done. */
std::string lackingOf(const Call &call) {
  for (const Layout *layout : {&call.a, &call.b, &call.c, &call.d}) {
    if (layout->order != CUBLASLT_ORDER_COL && layout->order != CUBLASLT_ORDER_ROW)
      return "matrices of the order " + std::to_string(layout->order);
    if (blas::bytesOf(static_cast<cudaDataType>(layout->type)) == 0)
      return "numbers of the type " + std::to_string(layout->type);
  }
  if (call.c.order != call.d.order) return "matrices C and D of different orders";
  if (call.operation.opC != CUBLAS_OP_N) return "transposed matrices C";
  if (call.operation.pointerMode > CUBLASLT_POINTER_MODE_DEVICE) return "vectors as alpha";
  const uint32_t known = 2 | 4 | 8 | 16 | 32 | 64 | 128 | kInputGradients | CUBLASLT_EPILOGUE_DEFAULT;
  if ((call.operation.epilogue & ~known) != 0) return "epilogue " + std::to_string(call.operation.epilogue);
  return {};
}

/** The product as the engine computes it: a D of rows is computed transposed. */
Multiplication multiplicationOf(const Call &call) {
  const bool turned = call.d.order == CUBLASLT_ORDER_ROW;
  Multiplication what = blas::describe(static_cast<cublasComputeType_t>(call.operation.compute),
                                       static_cast<cudaDataType>(call.a.type),
                                       static_cast<cudaDataType>(call.d.type), CUBLAS_DEFAULT_MATH);
  what.scalarType = static_cast<cudaDataType>(call.operation.scaleType);
  what.depth = static_cast<int>(call.operation.opA == CUBLAS_OP_N ? call.a.columns : call.a.rows);
  what.rows = static_cast<int>(turned ? call.d.columns : call.d.rows);
  what.columns = static_cast<int>(turned ? call.d.rows : call.d.columns);
  what.opA = turned ? opOf(call.operation.opB, call.b, true) : opOf(call.operation.opA, call.a, false);
  what.opB = turned ? opOf(call.operation.opA, call.a, true) : opOf(call.operation.opB, call.b, false);
  return what;
}

/** The sums of an input over the terms of the product, one for each row or column of D. */
cudaError_t giveInputGradient(const Call &call, const Place &input, const Place &bias) {
  const bool ofA = (call.operation.epilogue & CUBLASLT_EPILOGUE_BGRADA) != 0;
  const Layout &layout = ofA ? call.a : call.b;
  const bool byRows = layout.order == CUBLASLT_ORDER_ROW;
  blas::Matrix<float> matrix(byRows ? layout.columns : layout.rows, byRows ? layout.rows : layout.columns);
  const cudaError_t error = read(matrix, input);
  if (error != cudaSuccess) return error;
  // A's rows and B's columns are those of D, unless they are transposed.
  const bool plain = (ofA ? call.operation.opA : call.operation.opB) == CUBLAS_OP_N;
  const bool keepsRows = (ofA == plain) != byRows;
  std::vector<float> sums(keepsRows ? matrix.rows : matrix.columns);
  for (size_t column = 0; column < matrix.columns; ++column) {
    for (size_t row = 0; row < matrix.rows; ++row)
      sums[keepsRows ? row : column] += matrix.at(row, column);
  }
  return write(sums, blas::Strided{bias.address, bias.type, 1});
}

cudaError_t readScales(const Operation &operation, double &factor) {
  factor = 1;
  for (const float *scale : {operation.scales[0], operation.scales[1]}) {
    float value = 1;
    if (scale == nullptr) continue;
    char *bytes = reinterpret_cast<char *>(const_cast<float *>(scale));
    const cudaError_t error = readOperand(&value, {bytes, sizeof value}, {sizeof value, 1});
    if (error != cudaSuccess) return error;
    factor *= static_cast<double>(value);
  }
  return cudaSuccess;
}

/** alpha with the scales of the inputs. */
cudaError_t scaled(const Operation &operation, const blas::AnyScalar &alpha, std::complex<double> &value) {
  double factor = 1;
  cudaError_t error = readScales(operation, factor);
  if (error == cudaSuccess) error = alpha.read(value);
  value *= factor;
  return error;
}

cudaError_t multiplyAll(const Call &call, const Operands &first, const blas::AnyScalar &alpha,
                        const blas::AnyScalar &beta) {
  const Multiplication what = multiplicationOf(call);
  const bool turned = call.d.order == CUBLASLT_ORDER_ROW;
  std::complex<double> factor;
  cudaError_t error = scaled(call.operation, alpha, factor);
  const blas::AnyScalar total(&factor, CUDA_C_64F, false);
  for (long long batch = 0; error == cudaSuccess && batch < std::max(1, call.d.batches); ++batch) {
    const cudaDataType outputs = static_cast<cudaDataType>(call.d.type);
    const LightEpilogue epilogue(call.operation, outputs, batch, turned);
    const Place a = placeOf(first.a.address, call.a, batch);
    const Place b = placeOf(first.b.address, call.b, batch);
    const Operands each = {turned ? b : a, turned ? a : b, placeOf(first.c.address, call.c, batch),
                           placeOf(first.d.address, call.d, batch), &epilogue};
    error = blas::multiply(what, each, total, beta);
    if (error != cudaSuccess || (call.operation.epilogue & kInputGradients) == 0) continue;
    const int type = call.operation.biasType < 0 ? outputs : call.operation.biasType;
    const Place bias = {call.operation.bias, static_cast<cudaDataType>(type), 1};
    const bool ofA = (call.operation.epilogue & CUBLASLT_EPILOGUE_BGRADA) != 0;
    error = giveInputGradient(call, ofA ? a : b, bias.shifted(batch * call.operation.biasStride));
  }
  return error;
}

} // namespace
} // namespace kernelwright::light

using namespace kernelwright;
using namespace kernelwright::light;

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int *found) {
  if (operation == nullptr || wanted < 1 || results == nullptr || found == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  const Call call = {operationOf(operation), layoutOf(a), layoutOf(b), layoutOf(c), layoutOf(d)};
  const std::string lacking = lackingOf(call);
  if (!lacking.empty()) return blas::unsupported(__func__, lacking);
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t a, const void *B,
                              cublasLtMatrixLayout_t b, const void *beta, const void *C,
                              cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (operation == nullptr || alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr ||
      d == nullptr)
    return blas::invalid(__func__, "a descriptor, alpha or beta is a null pointer");
  const Call call = {operationOf(operation), layoutOf(a), layoutOf(b), layoutOf(c == nullptr ? d : c),
                     layoutOf(d)};
  const std::string lacking = lackingOf(call);
  if (!lacking.empty()) return blas::unsupported(__func__, lacking);
  const Multiplication what = multiplicationOf(call);
  if (what.arithmetic == blas::Arithmetic::unknown) return blas::unsupported(__func__, "such a compute type");
  if (what.arithmetic != blas::Arithmetic::single && call.operation.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    return blas::unsupported(__func__, "epilogue with sums that are no floats");
  const bool turned = call.d.order == CUBLASLT_ORDER_ROW;
  const Operands shape = {placeOf(A, turned ? call.b : call.a, 0), placeOf(B, turned ? call.a : call.b, 0),
                          placeOf(C, call.c, 0), placeOf(D, call.d, 0)};
  const std::string problem = blas::problemOf(what, shape);
  if (!problem.empty()) return blas::invalid(__func__, problem);
  const bool onDevice = call.operation.pointerMode == CUBLASLT_POINTER_MODE_DEVICE;
  const blas::AnyScalar factor(alpha, what.scalarType, onDevice);
  const blas::AnyScalar kept(beta, what.scalarType, onDevice);
  return blas::statusOf(
      issueWork(stream, [call, shape, factor, kept] { return multiplyAll(call, shape, factor, kept); }));
}

} // extern "C"
