// Descriptors of cuSPARSE's matrices and vectors: made, asked and changed.
#include "libraries/sparse/descriptors.hpp"

#include "libraries/blas/numbers.hpp"

namespace kernelwright::sparse {
namespace {

bool isIndexType(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

/** The types whose numbers a double holds. */
bool isReal(cudaDataType type) { return blas::bytesOf(type) > 0 && !blas::isComplex(type); }

std::string typeText(cudaDataType type) {
  return blas::isComplex(type) ? "complex numbers" : "numbers of the type " + std::to_string(type);
}

cusparseStatus_t judged(const char *function, const cusparseSpMatDescr &matrix) {
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.entries < 0)
    return invalid(function, "a matrix of " + std::to_string(matrix.rows) + " x " +
                                 std::to_string(matrix.columns) + " with " + std::to_string(matrix.entries) +
                                 " entries");
  if (!isIndexType(matrix.major.type) || !isIndexType(matrix.minor.type))
    return unsupported(function, "indices but those of 32 and 64 bits");
  if (!isReal(matrix.type)) return unsupported(function, typeText(matrix.type));
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor>
cusparseStatus_t made(const char *function, Descriptor **into, const cusparseSpMatDescr &matrix) {
  if (into == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const cusparseStatus_t status = judged(function, matrix);
  if (status == CUSPARSE_STATUS_SUCCESS) *into = new cusparseSpMatDescr(matrix);
  return status;
}

template <typename Descriptor>
cusparseStatus_t made(const char *function, Descriptor **into, const cusparseSpVecDescr &vector) {
  if (into == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (vector.size < 0 || vector.entries < 0 || vector.entries > vector.size)
    return invalid(function, std::to_string(vector.entries) + " entries of " + std::to_string(vector.size));
  if (!isIndexType(vector.indices.type)) return unsupported(function, "indices but those of 32 and 64 bits");
  if (!isReal(vector.type)) return unsupported(function, typeText(vector.type));
  *into = new cusparseSpVecDescr(vector);
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor>
cusparseStatus_t made(const char *function, Descriptor **into, const cusparseDnVecDescr &vector) {
  if (into == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (vector.size < 0) return invalid(function, "a size of " + std::to_string(vector.size));
  if (!isReal(vector.type)) return unsupported(function, typeText(vector.type));
  *into = new cusparseDnVecDescr(vector);
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor>
cusparseStatus_t made(const char *function, Descriptor **into, const cusparseDnMatDescr &matrix) {
  if (into == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (matrix.order != CUSPARSE_ORDER_COL && matrix.order != CUSPARSE_ORDER_ROW)
    return invalid(function, "an order of " + std::to_string(matrix.order));
  const int64_t least = matrix.order == CUSPARSE_ORDER_COL ? matrix.rows : matrix.columns;
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.leading < least)
    return invalid(function, "a matrix of " + std::to_string(matrix.rows) + " x " +
                                 std::to_string(matrix.columns) + " with a leading dimension of " +
                                 std::to_string(matrix.leading));
  if (!isReal(matrix.type)) return unsupported(function, typeText(matrix.type));
  *into = new cusparseDnMatDescr(matrix);
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor> cusparseStatus_t destroyed(Descriptor *descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor, typename Change> cusparseStatus_t with(Descriptor *descriptor, Change change) {
  if (descriptor == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  change(*descriptor);
  return CUSPARSE_STATUS_SUCCESS;
}

void *changeable(const void *address) { return const_cast<void *>(address); }

} // namespace
} // namespace kernelwright::sparse

using namespace kernelwright::sparse;

extern "C" {

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr) {
  if (descr == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) { return destroyed(descr); }

cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type) {
  return with(descr, [=](cusparseMatDescr &each) { each.type = type; });
}

cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr) { return descr->type; }

cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base) {
  return with(descr, [=](cusparseMatDescr &each) { each.base = base; });
}

cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr) { return descr->base; }

cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill) {
  return with(descr, [=](cusparseMatDescr &each) { each.fill = fill; });
}

cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr) { return descr->fill; }

cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diagonal) {
  return with(descr, [=](cusparseMatDescr &each) { each.diagonal = diagonal; });
}

cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr) { return descr->diagonal; }

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t entries, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offsetType, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return made(__func__, matrix,
              cusparseSpMatDescr{CUSPARSE_FORMAT_CSR,
                                 rows,
                                 columns,
                                 entries,
                                 {offsets, offsetType},
                                 {indices, indexType},
                                 base,
                                 values,
                                 type});
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                        int64_t entries, const void *offsets, const void *indices,
                                        const void *values, cusparseIndexType_t offsetType,
                                        cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return made(__func__, matrix,
              cusparseSpMatDescr{CUSPARSE_FORMAT_CSR,
                                 rows,
                                 columns,
                                 entries,
                                 {changeable(offsets), offsetType},
                                 {changeable(indices), indexType},
                                 base,
                                 changeable(values),
                                 type});
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t entries, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offsetType, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return made(__func__, matrix,
              cusparseSpMatDescr{CUSPARSE_FORMAT_CSC,
                                 rows,
                                 columns,
                                 entries,
                                 {offsets, offsetType},
                                 {indices, indexType},
                                 base,
                                 values,
                                 type});
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t entries, void *rowIndices, void *columnIndices, void *values,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return made(__func__, matrix,
              cusparseSpMatDescr{CUSPARSE_FORMAT_COO,
                                 rows,
                                 columns,
                                 entries,
                                 {rowIndices, indexType},
                                 {columnIndices, indexType},
                                 base,
                                 values,
                                 type});
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) { return destroyed(matrix); }

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values) {
  return with(matrix, [=](cusparseSpMatDescr &each) {
    each.major.at = offsets;
    each.minor.at = indices;
    each.values = values;
  });
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values) {
  return cusparseCsrSetPointers(matrix, offsets, indices, values);
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t bytes) {
  if (matrix == nullptr || data == nullptr || bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    matrix->fill = *static_cast<cusparseFillMode_t *>(data);
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
    matrix->diagonal = *static_cast<cusparseDiagType_t *>(data);
  else
    return unsupported(__func__, "attribute " + std::to_string(attribute));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data, size_t bytes) {
  if (matrix == nullptr || data == nullptr || bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    *static_cast<cusparseFillMode_t *>(data) = matrix->fill;
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
    *static_cast<cusparseDiagType_t *>(data) = matrix->diagonal;
  else
    return unsupported(__func__, "attribute " + std::to_string(attribute));
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rows, void *columns,
                                        void *values) {
  return cusparseCsrSetPointers(matrix, rows, columns, values);
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                      int64_t *entries) {
  return with(matrix, [=](const cusparseSpMatDescr &each) {
    *rows = each.rows;
    *columns = each.columns;
    *entries = each.entries;
  });
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format) {
  return with(matrix, [=](const cusparseSpMatDescr &each) { *format = each.format; });
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t *base) {
  return with(matrix, [=](const cusparseSpMatDescr &each) { *base = each.base; });
}

cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values) {
  return with(matrix, [=](cusparseSpMatDescr &each) { *values = each.values; });
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values) {
  return with(matrix, [=](cusparseSpMatDescr &each) { each.values = values; });
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t entries,
                                     void *indices, void *values, cusparseIndexType_t indexType,
                                     cusparseIndexBase_t base, cudaDataType type) {
  return made(__func__, vector, cusparseSpVecDescr{size, entries, {indices, indexType}, base, values, type});
}

cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vector, int64_t size, int64_t entries,
                                          const void *indices, const void *values,
                                          cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                          cudaDataType type) {
  return made(
      __func__, vector,
      cusparseSpVecDescr{size, entries, {changeable(indices), indexType}, base, changeable(values), type});
}

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) { return destroyed(vector); }

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type) {
  return made(__func__, vector, cusparseDnVecDescr{size, values, type});
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size, const void *values,
                                          cudaDataType type) {
  return made(__func__, vector, cusparseDnVecDescr{size, changeable(values), type});
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) { return destroyed(vector); }

cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values) {
  return with(vector, [=](cusparseDnVecDescr &each) { *values = each.values; });
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values) {
  return with(vector, [=](cusparseDnVecDescr &each) { each.values = values; });
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t leading, void *values, cudaDataType type,
                                     cusparseOrder_t order) {
  return made(__func__, matrix, cusparseDnMatDescr{rows, columns, leading, values, type, order});
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                          int64_t leading, const void *values, cudaDataType type,
                                          cusparseOrder_t order) {
  return made(__func__, matrix, cusparseDnMatDescr{rows, columns, leading, changeable(values), type, order});
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) { return destroyed(matrix); }

cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values) {
  return with(matrix, [=](cusparseDnMatDescr &each) { *values = each.values; });
}

cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values) {
  return with(matrix, [=](cusparseDnMatDescr &each) { each.values = values; });
}

} // extern "C"
