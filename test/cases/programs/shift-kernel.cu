// Device code that compiled-at-run-time.cpp loads as files that a build would have made of it.
extern "C" __global__ void shift(float *values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] += 100;
}
