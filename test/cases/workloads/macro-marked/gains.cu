#include "gains.cuh"

template void audio::amplify<float>(float*, const float*, int, int, cudaStream_t);
