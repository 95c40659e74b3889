// What torch's headers name of cuSOLVER. The library itself is not there.
#pragma once

#include <cusolver_common.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
