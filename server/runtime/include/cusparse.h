// cuSPARSE for programs on the virtual GPU: names, numbers and parameters as NVIDIA documents them (cuSPARSE
// documentation, CUDA 13). A toolkit's own header is taken where there is one.
#ifndef CUSPARSE_H_
#define CUSPARSE_H_
// Programs tell by this name that the header is there, as by that of NVIDIA's.
#define CUSPARSEAPI

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <stddef.h>
#include <stdint.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VER_BUILD 0
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;

typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;

typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;

typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;

typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;

typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;

typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;

typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;

typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;

typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;

typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;

typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5
} cusparseSpMVAlg_t;

typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13
} cusparseSpMMAlg_t;

typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 } cusparseSpMatAttribute_t;

typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;

typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0, CUSPARSE_SPSV_ALG1 = 1, CUSPARSE_SPSV_ALG2 = 2 } cusparseSpSVAlg_t;

typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;

typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;

typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;

typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;

typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;

struct cusparseContext;
struct cusparseMatDescr;
struct cusparseSpMatDescr;
struct cusparseSpVecDescr;
struct cusparseDnVecDescr;
struct cusparseDnMatDescr;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpMatDescr const *cusparseConstSpMatDescr_t;
typedef struct cusparseSpVecDescr const *cusparseConstSpVecDescr_t;
typedef struct cusparseDnVecDescr const *cusparseConstDnVecDescr_t;
typedef struct cusparseDnMatDescr const *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;

#if defined(__cplusplus)
extern "C" {
#endif

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diagonal);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void *csrRowOffsets, void *csrColInd, void *csrValues,
                                   cusparseIndexType_t csrRowOffsetsType, cusparseIndexType_t csrColIndType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *csrRowOffsets, const void *csrColInd, const void *csrValues,
                                        cusparseIndexType_t csrRowOffsetsType, cusparseIndexType_t csrColIndType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void *cscColOffsets, void *cscRowInd, void *cscValues,
                                   cusparseIndexType_t cscColOffsetsType, cusparseIndexType_t cscRowIndType,
                                   cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void *cooRowInd, void *cooColInd, void *cooValues,
                                   cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *csrRowOffsets, void *csrColInd,
                                        void *csrValues);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *cooRows, void *cooColumns,
                                        void *cooValues);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *cols, int64_t *nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t *format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t *idxBase);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices, void *values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t bytes);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t bytes);

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t entries, void *indices,
                                     void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                     cudaDataType type);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vector, int64_t size, int64_t entries,
                                          const void *indices, const void *values, cusparseIndexType_t indexType,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType valueType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size, const void *values,
                                          cudaDataType valueType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t ld,
                                     void *values, cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t ld,
                                          const void *values, cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values);

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t *bufferSize);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *externalBuffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,
                              cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg,
                              void *externalBuffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMAlg_t alg,
                                         size_t *bufferSize);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMAlg_t alg,
                                         void *externalBuffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void *beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void *externalBuffer);

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m, int *csrSortedRowPtr,
                                  cusparseIndexBase_t idxBase);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrSortedRowPtr, int nnz, int m, int *cooRowInd,
                                  cusparseIndexBase_t idxBase);

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                         cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t descr, size_t *bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                       cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t descr, void *externalBuffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation, const void *alpha,
                                    cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr, size_t *bytes);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                       const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
                                       cusparseSpSMDescr_t descr, void *externalBuffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
                                    cusparseSpSMDescr_t descr);

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t handle, int size, int entries,
                                              const cusparseMatDescr_t description, float *values,
                                              const int *offsets, const int *columns, csrilu02Info_t info,
                                              int *bytes);
cusparseStatus_t cusparseScsrilu02_bufferSizeExt(cusparseHandle_t handle, int size, int entries,
                                                 const cusparseMatDescr_t description, float *values,
                                                 const int *offsets, const int *columns, csrilu02Info_t info,
                                                 size_t *bytes);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t handle, int size, int entries,
                                            const cusparseMatDescr_t description, const float *values,
                                            const int *offsets, const int *columns, csrilu02Info_t info,
                                            cusparseSolvePolicy_t policy, void *externalBuffer);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t handle, int size, int entries,
                                   const cusparseMatDescr_t description, float *values, const int *offsets,
                                   const int *columns, csrilu02Info_t info, cusparseSolvePolicy_t policy,
                                   void *externalBuffer);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t handle, int size, int entries,
                                              const cusparseMatDescr_t description, double *values,
                                              const int *offsets, const int *columns, csrilu02Info_t info,
                                              int *bytes);
cusparseStatus_t cusparseDcsrilu02_bufferSizeExt(cusparseHandle_t handle, int size, int entries,
                                                 const cusparseMatDescr_t description, double *values,
                                                 const int *offsets, const int *columns, csrilu02Info_t info,
                                                 size_t *bytes);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t handle, int size, int entries,
                                            const cusparseMatDescr_t description, const double *values,
                                            const int *offsets, const int *columns, csrilu02Info_t info,
                                            cusparseSolvePolicy_t policy, void *externalBuffer);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t handle, int size, int entries,
                                   const cusparseMatDescr_t description, double *values, const int *offsets,
                                   const int *columns, csrilu02Info_t info, cusparseSolvePolicy_t policy,
                                   void *externalBuffer);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int *position);
cusparseStatus_t cusparseScsric02_bufferSize(cusparseHandle_t handle, int size, int entries,
                                             const cusparseMatDescr_t description, float *values,
                                             const int *offsets, const int *columns, csric02Info_t info,
                                             int *bytes);
cusparseStatus_t cusparseScsric02_bufferSizeExt(cusparseHandle_t handle, int size, int entries,
                                                const cusparseMatDescr_t description, float *values,
                                                const int *offsets, const int *columns, csric02Info_t info,
                                                size_t *bytes);
cusparseStatus_t cusparseScsric02_analysis(cusparseHandle_t handle, int size, int entries,
                                           const cusparseMatDescr_t description, const float *values,
                                           const int *offsets, const int *columns, csric02Info_t info,
                                           cusparseSolvePolicy_t policy, void *externalBuffer);
cusparseStatus_t cusparseScsric02(cusparseHandle_t handle, int size, int entries,
                                  const cusparseMatDescr_t description, float *values, const int *offsets,
                                  const int *columns, csric02Info_t info, cusparseSolvePolicy_t policy,
                                  void *externalBuffer);
cusparseStatus_t cusparseDcsric02_bufferSize(cusparseHandle_t handle, int size, int entries,
                                             const cusparseMatDescr_t description, double *values,
                                             const int *offsets, const int *columns, csric02Info_t info,
                                             int *bytes);
cusparseStatus_t cusparseDcsric02_bufferSizeExt(cusparseHandle_t handle, int size, int entries,
                                                const cusparseMatDescr_t description, double *values,
                                                const int *offsets, const int *columns, csric02Info_t info,
                                                size_t *bytes);
cusparseStatus_t cusparseDcsric02_analysis(cusparseHandle_t handle, int size, int entries,
                                           const cusparseMatDescr_t description, const double *values,
                                           const int *offsets, const int *columns, csric02Info_t info,
                                           cusparseSolvePolicy_t policy, void *externalBuffer);
cusparseStatus_t cusparseDcsric02(cusparseHandle_t handle, int size, int entries,
                                  const cusparseMatDescr_t description, double *values, const int *offsets,
                                  const int *columns, csric02Info_t info, cusparseSolvePolicy_t policy,
                                  void *externalBuffer);

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t alg,
                                                  size_t *bytes);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t alg, void *externalBuffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg,
                                                  size_t *bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg,
                                                void *externalBuffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg,
                                               void *externalBuffer);
cusparseStatus_t cusparseSnnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,
                              const cusparseMatDescr_t descrA, const float *numbers, int leading, int *each,
                              int *total);
cusparseStatus_t cusparseDnnz(cusparseHandle_t handle, cusparseDirection_t direction, int rows, int columns,
                              const cusparseMatDescr_t descrA, const double *numbers, int leading, int *each,
                              int *total);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void *, const int *,
                                               const int *, void *externalBuffer, int *, int *,
                                               cudaDataType valueType, cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
                                               size_t *bytes);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int entries, const void *values,
                                    const int *offsets, const int *indices, void *turnedValues, int *turnedOffsets,
                                    int *turnedIndices, cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg, void *externalBuffer);

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t made, size_t *bytes,
                                               void *buffer);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t made, int64_t *products);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                        const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t made, size_t *bytes,
                                        void *buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void *beta, cusparseSpMatDescr_t c, cudaDataType type,
                                     cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t made);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t a,
                                          cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType type, cusparseSDDMMAlg_t alg, size_t *bytes);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t a,
                                          cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
                                          cudaDataType type, cusparseSDDMMAlg_t alg, void *externalBuffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void *beta, cusparseSpMatDescr_t c, cudaDataType type, cusparseSDDMMAlg_t alg,
                               void *externalBuffer);

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t x,
                               const void *beta, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, const void *,
                                         cudaDataType valueType, size_t *bytes);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result, cudaDataType type, void *externalBuffer);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int count, int *places);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
                                                size_t *bytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int, int entries,
                                  const cusparseMatDescr_t description, const int *offsets, int *columns,
                                  int *places, void *externalBuffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *, const int *,
                                                size_t *bytes);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int columns, int entries,
                                  const cusparseMatDescr_t description, const int *offsets, int *rows, int *places,
                                  void *externalBuffer);

#if defined(__cplusplus)
}
#endif

#endif
