//@case {"kernel": "peaks"}
#define THREADS 256
__global__ void peaks(const int* x, int* y) {
  __shared__ int tile[THREADS];
  tile[threadIdx.x] = x[blockIdx.x * THREADS + threadIdx.x]; //@ instructions=2000
  __syncthreads();
  if (threadIdx.x == 0) {
    int most = tile[0];
    for (int k = 1; k < THREADS; ++k)
      if (tile[k] > most) most = tile[k]; //@ instructions=6000
    y[blockIdx.x] = most;
  }
}
void run(const int* x, int* y, int n) { peaks<<<n / THREADS, THREADS>>>(x, y); }
