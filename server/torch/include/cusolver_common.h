// What torch's headers name of cuSOLVER. The library itself is not there.
#pragma once

typedef enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_EXECUTION_FAILED = 6 } cusolverStatus_t;
