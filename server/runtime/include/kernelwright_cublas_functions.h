// The functions of cublas_api.h. Most exist for the types S, D, C and Z, which the macros below run through.
#ifndef KERNELWRIGHT_CUBLAS_FUNCTIONS_H
#define KERNELWRIGHT_CUBLAS_FUNCTIONS_H

// What begins most parameter lists.
#define KW_H cublasHandle_t handle
#define KW_OP cublasOperation_t
#define KW_UPLO cublasFillMode_t uplo
#define KW_LL long long int

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(KW_H);
cublasStatus_t cublasGetVersion_v2(KW_H, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace_v2(KW_H, void *workspace, size_t workspaceSizeInBytes);
cublasStatus_t cublasSetStream_v2(KW_H, cudaStream_t streamId);
cublasStatus_t cublasGetStream_v2(KW_H, cudaStream_t *streamId);
cublasStatus_t cublasSetPointerMode_v2(KW_H, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(KW_H, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(KW_H, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(KW_H, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(KW_H, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(KW_H, cublasMath_t *mode);
cublasStatus_t cublasSetSmCountTarget(KW_H, int smCountTarget);
cublasStatus_t cublasGetSmCountTarget(KW_H, int *smCountTarget);
cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr, const char *logFileName);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int elemSize, const void *x, int incx, void *devicePtr, int incy);
cublasStatus_t cublasGetVector(int n, int elemSize, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void *hostPtr, int incx, void *devicePtr, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void *devicePtr, int incx, void *hostPtr, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb,
                                    cudaStream_t stream);

// Products of matrices.
#define KW_GEMM(X, T)                                                                                             \
  cublasStatus_t cublas##X##gemmBatched(KW_H, KW_OP transa, KW_OP transb, int m, int n, int k, const T *alpha,    \
                                        const T *const Aarray[], int lda, const T *const Barray[], int ldb,       \
                                        const T *beta, T *const Carray[], int ldc, int batchCount);               \
  cublasStatus_t cublas##X##gemmStridedBatched(                                                                   \
      KW_H, KW_OP transa, KW_OP transb, int m, int n, int k, const T *alpha, const T *A, int lda, KW_LL strideA,  \
      const T *B, int ldb, KW_LL strideB, const T *beta, T *C, int ldc, KW_LL strideC, int batchCount);
#define KW_PLAIN_GEMM(name, T)                                                                                    \
  cublasStatus_t name(KW_H, KW_OP transa, KW_OP transb, int m, int n, int k, const T *alpha, const T *A, int lda, \
                      const T *B, int ldb, const T *beta, T *C, int ldc);
#define KW_GEMM_EX(name, T)                                                                                       \
  cublasStatus_t name(KW_H, KW_OP transa, KW_OP transb, int m, int n, int k, const T *alpha, const void *A,       \
                      cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb, const T *beta,     \
                      void *C, cudaDataType Ctype, int ldc);
KW_GEMM(S, float)
KW_GEMM(D, double)
KW_GEMM(C, cuComplex)
KW_GEMM(Z, cuDoubleComplex)
KW_PLAIN_GEMM(cublasSgemm_v2, float)
KW_PLAIN_GEMM(cublasDgemm_v2, double)
KW_PLAIN_GEMM(cublasCgemm_v2, cuComplex)
KW_PLAIN_GEMM(cublasZgemm_v2, cuDoubleComplex)
#if defined(__cplusplus)
KW_GEMM(H, __half)
KW_PLAIN_GEMM(cublasHgemm, __half)
#endif
KW_GEMM_EX(cublasSgemmEx, float)
KW_GEMM_EX(cublasCgemmEx, cuComplex)

cublasStatus_t cublasGemmEx(KW_H, KW_OP transa, KW_OP transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb,
                            const void *beta, void *C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(KW_H, KW_OP transa, KW_OP transb, int m, int n, int k, const void *alpha,
                                   const void *const Aarray[], cudaDataType Atype, int lda,
                                   const void *const Barray[], cudaDataType Btype, int ldb, const void *beta,
                                   void *const Carray[], cudaDataType Ctype, int ldc, int batchCount,
                                   cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(KW_H, KW_OP transa, KW_OP transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType Atype, int lda,
                                          KW_LL strideA, const void *B, cudaDataType Btype, int ldb, KW_LL strideB,
                                          const void *beta, void *C, cudaDataType Ctype, int ldc, KW_LL strideC,
                                          int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);

// Vectors. `R`: the real type of T; `N`: how the names of functions with a real result begin.
#define KW_VECTORS(X, x_, N, T, R)                                                                                \
  cublasStatus_t cublasI##x_##amax_v2(KW_H, int n, const T *x, int incx, int *result);                            \
  cublasStatus_t cublasI##x_##amin_v2(KW_H, int n, const T *x, int incx, int *result);                            \
  cublasStatus_t cublas##N##asum_v2(KW_H, int n, const T *x, int incx, R *result);                                \
  cublasStatus_t cublas##N##nrm2_v2(KW_H, int n, const T *x, int incx, R *result);                                \
  cublasStatus_t cublas##X##axpy_v2(KW_H, int n, const T *alpha, const T *x, int incx, T *y, int incy);           \
  cublasStatus_t cublas##X##copy_v2(KW_H, int n, const T *x, int incx, T *y, int incy);                           \
  cublasStatus_t cublas##X##swap_v2(KW_H, int n, T *x, int incx, T *y, int incy);                                 \
  cublasStatus_t cublas##X##scal_v2(KW_H, int n, const T *alpha, T *x, int incx);
KW_VECTORS(S, s, S, float, float)
KW_VECTORS(D, d, D, double, double)
KW_VECTORS(C, c, Sc, cuComplex, float)
KW_VECTORS(Z, z, Dz, cuDoubleComplex, double)

#define KW_DOT(name, T)                                                                                           \
  cublasStatus_t name(KW_H, int n, const T *x, int incx, const T *y, int incy, T *result);
KW_DOT(cublasSdot_v2, float)
KW_DOT(cublasDdot_v2, double)
KW_DOT(cublasCdotu_v2, cuComplex)
KW_DOT(cublasCdotc_v2, cuComplex)
KW_DOT(cublasZdotu_v2, cuDoubleComplex)
KW_DOT(cublasZdotc_v2, cuDoubleComplex)

#define KW_ROT(name, T, R) cublasStatus_t name(KW_H, int n, T *x, int incx, T *y, int incy, const R *c, const R *s);
KW_ROT(cublasSrot_v2, float, float)
KW_ROT(cublasDrot_v2, double, double)
KW_ROT(cublasCsrot_v2, cuComplex, float)
KW_ROT(cublasZdrot_v2, cuDoubleComplex, double)
cublasStatus_t cublasSrotg_v2(KW_H, float *a, float *b, float *c, float *s);
cublasStatus_t cublasDrotg_v2(KW_H, double *a, double *b, double *c, double *s);
cublasStatus_t cublasCsscal_v2(KW_H, int n, const float *alpha, cuComplex *x, int incx);
cublasStatus_t cublasZdscal_v2(KW_H, int n, const double *alpha, cuDoubleComplex *x, int incx);

cublasStatus_t cublasNrm2Ex(KW_H, int n, const void *x, cudaDataType xType, int incx, void *result,
                            cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotEx(KW_H, int n, const void *x, cudaDataType xType, int incx, const void *y,
                           cudaDataType yType, int incy, void *result, cudaDataType resultType,
                           cudaDataType executionType);
cublasStatus_t cublasScalEx(KW_H, int n, const void *alpha, cudaDataType alphaType, void *x, cudaDataType xType,
                            int incx, cudaDataType executionType);
cublasStatus_t cublasAxpyEx(KW_H, int n, const void *alpha, cudaDataType alphaType, const void *x,
                            cudaDataType xType, int incx, void *y, cudaDataType yType, int incy,
                            cudaDataType executiontype);

// A matrix and vectors.
#define KW_MATRIX_VECTOR(X, T)                                                                                    \
  cublasStatus_t cublas##X##gemv_v2(KW_H, KW_OP trans, int m, int n, const T *alpha, const T *A, int lda,         \
                                    const T *x, int incx, const T *beta, T *y, int incy);                         \
  cublasStatus_t cublas##X##gemvBatched(KW_H, KW_OP trans, int m, int n, const T *alpha,                          \
                                        const T *const Aarray[], int lda, const T *const xarray[], int incx,      \
                                        const T *beta, T *const yarray[], int incy, int batchCount);              \
  cublasStatus_t cublas##X##gemvStridedBatched(KW_H, KW_OP trans, int m, int n, const T *alpha, const T *A,       \
                                               int lda, KW_LL strideA, const T *x, int incx, KW_LL stridex,       \
                                               const T *beta, T *y, int incy, KW_LL stridey, int batchCount);     \
  cublasStatus_t cublas##X##symv_v2(KW_H, KW_UPLO, int n, const T *alpha, const T *A, int lda, const T *x,        \
                                    int incx, const T *beta, T *y, int incy);                                     \
  cublasStatus_t cublas##X##syr_v2(KW_H, KW_UPLO, int n, const T *alpha, const T *x, int incx, T *A, int lda);    \
  cublasStatus_t cublas##X##trsv_v2(KW_H, KW_UPLO, KW_OP trans, cublasDiagType_t diag, int n, const T *A,         \
                                    int lda, T *x, int incx);                                                     \
  cublasStatus_t cublas##X##trmv_v2(KW_H, KW_UPLO, KW_OP trans, cublasDiagType_t diag, int n, const T *A,         \
                                    int lda, T *x, int incx);
KW_MATRIX_VECTOR(S, float)
KW_MATRIX_VECTOR(D, double)
KW_MATRIX_VECTOR(C, cuComplex)
KW_MATRIX_VECTOR(Z, cuDoubleComplex)

#define KW_GER(name, T)                                                                                           \
  cublasStatus_t name(KW_H, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A, int lda);
KW_GER(cublasSger_v2, float)
KW_GER(cublasDger_v2, double)
KW_GER(cublasCgeru_v2, cuComplex)
KW_GER(cublasCgerc_v2, cuComplex)
KW_GER(cublasZgeru_v2, cuDoubleComplex)
KW_GER(cublasZgerc_v2, cuDoubleComplex)

// Other work on whole matrices.
#define KW_MATRICES(X, T)                                                                                         \
  cublasStatus_t cublas##X##syrk_v2(KW_H, KW_UPLO, KW_OP trans, int n, int k, const T *alpha, const T *A,         \
                                    int lda, const T *beta, T *C, int ldc);                                       \
  cublasStatus_t cublas##X##symm_v2(KW_H, cublasSideMode_t side, KW_UPLO, int m, int n, const T *alpha,           \
                                    const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc);      \
  cublasStatus_t cublas##X##trsm_v2(KW_H, cublasSideMode_t side, KW_UPLO, KW_OP trans, cublasDiagType_t diag,     \
                                    int m, int n, const T *alpha, const T *A, int lda, T *B, int ldb);            \
  cublasStatus_t cublas##X##trsmBatched(KW_H, cublasSideMode_t side, KW_UPLO, KW_OP trans, cublasDiagType_t diag, \
                                        int m, int n, const T *alpha, const T *const A[], int lda, T *const B[],  \
                                        int ldb, int batchCount);                                                 \
  cublasStatus_t cublas##X##trmm_v2(KW_H, cublasSideMode_t side, KW_UPLO, KW_OP trans, cublasDiagType_t diag,     \
                                    int m, int n, const T *alpha, const T *A, int lda, const T *B, int ldb, T *C, \
                                    int ldc);                                                                     \
  cublasStatus_t cublas##X##geam(KW_H, KW_OP transa, KW_OP transb, int m, int n, const T *alpha, const T *A,      \
                                 int lda, const T *beta, const T *B, int ldb, T *C, int ldc);                     \
  cublasStatus_t cublas##X##dgmm(KW_H, cublasSideMode_t mode, int m, int n, const T *A, int lda, const T *x,      \
                                 int incx, T *C, int ldc);
KW_MATRICES(S, float)
KW_MATRICES(D, double)
KW_MATRICES(C, cuComplex)
KW_MATRICES(Z, cuDoubleComplex)

// Factors of many small matrices.
#define KW_FACTORS(X, T)                                                                                          \
  cublasStatus_t cublas##X##getrfBatched(KW_H, int n, T *const A[], int lda, int *P, int *info, int batchSize);   \
  cublasStatus_t cublas##X##getriBatched(KW_H, int n, const T *const A[], int lda, const int *P, T *const C[],    \
                                         int ldc, int *info, int batchSize);                                      \
  cublasStatus_t cublas##X##matinvBatched(KW_H, int n, const T *const A[], int lda, T *const Ainv[], int lda_inv, \
                                          int *info, int batchSize);                                              \
  cublasStatus_t cublas##X##getrsBatched(KW_H, KW_OP trans, int n, int nrhs, const T *const Aarray[], int lda,    \
                                         const int *devIpiv, T *const Barray[], int ldb, int *info,               \
                                         int batchSize);
KW_FACTORS(S, float)
KW_FACTORS(D, double)
KW_FACTORS(C, cuComplex)
KW_FACTORS(Z, cuDoubleComplex)

#if defined(__cplusplus)
}
#endif

#if defined(__cplusplus)
// Before CUDA 11 the compute type was a data type; C++ programs may still say so.
static inline cublasComputeType_t kernelwrightComputeType(cudaDataType type) {
  switch (type) {
  case CUDA_R_16F:
    return CUBLAS_COMPUTE_16F;
  case CUDA_R_64F:
  case CUDA_C_64F:
    return CUBLAS_COMPUTE_64F;
  case CUDA_R_32I:
    return CUBLAS_COMPUTE_32I;
  default:
    return CUBLAS_COMPUTE_32F;
  }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType Atype, int lda, const void *B,
                                          cudaDataType Btype, int ldb, const void *beta, void *C,
                                          cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                      kernelwrightComputeType(computeType), algo);
}

static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k,
                                                 const void *alpha, const void *const Aarray[],
                                                 cudaDataType Atype, int lda, const void *const Barray[],
                                                 cudaDataType Btype, int ldb, const void *beta,
                                                 void *const Carray[], cudaDataType Ctype, int ldc,
                                                 int batchCount, cudaDataType computeType,
                                                 cublasGemmAlgo_t algo) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray, Btype, ldb, beta,
                             Carray, Ctype, ldc, batchCount, kernelwrightComputeType(computeType), algo);
}

static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
                           long long strideA, const void *B, cudaDataType Btype, int ldb, long long strideB,
                           const void *beta, void *C, cudaDataType Ctype, int ldc, long long strideC,
                           int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                    strideB, beta, C, Ctype, ldc, strideC, batchCount,
                                    kernelwrightComputeType(computeType), algo);
}
#endif

#undef KW_GEMM
#undef KW_PLAIN_GEMM
#undef KW_GEMM_EX
#undef KW_VECTORS
#undef KW_DOT
#undef KW_ROT
#undef KW_MATRIX_VECTOR
#undef KW_GER
#undef KW_MATRICES
#undef KW_FACTORS
#undef KW_H
#undef KW_OP
#undef KW_UPLO
#undef KW_LL

#endif
