__device__ bool isOdd(int value) { return value % 2 != 0; }
