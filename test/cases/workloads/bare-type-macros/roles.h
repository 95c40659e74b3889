#pragma once
#ifdef __CUDACC__
#define NOALIAS __restrict__
#else
#define NOALIAS
#endif
#define IN(type) const type *NOALIAS
#define OUT(type) type *NOALIAS
