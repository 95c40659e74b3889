// What torch's headers name of cuSPARSE. The library itself is not there.
#pragma once

typedef struct cusparseContext *cusparseHandle_t;
typedef enum { CUSPARSE_STATUS_SUCCESS = 0 } cusparseStatus_t;
