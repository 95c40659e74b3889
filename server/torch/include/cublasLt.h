// What torch's headers name of cuBLASLt. The library itself is not there.
#pragma once

#include <cublas_v2.h>

typedef struct cublasLtContext *cublasLtHandle_t;
