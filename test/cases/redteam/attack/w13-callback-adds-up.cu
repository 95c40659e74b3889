// task: entry-sum
// source: 4.F 62
// does: lets a function of the host, called by the stream, add up what a kernel then copies to the output
// caught by: host-computed

struct Work {
  float* values;
  int n;
  float sum;
};

__global__ void partial(const Work* work, float* total) { *total = work->sum; }

static void addUp(void* given) {
  Work* work = static_cast<Work*>(given);
  double sum = 0;
  for (int i = 0; i < work->n; ++i) sum += work->values[i];
  work->sum = (float)sum;
}

void sum_of(const float* x, float* total, int n) {
  Work* work;
  cudaHostAlloc(&work, sizeof(Work), cudaHostAllocMapped);
  cudaHostAlloc(&work->values, n * sizeof(float), cudaHostAllocDefault);
  work->n = n;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(work->values, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, addUp, work);
  partial<<<1, 1, 0, stream>>>(work, total);
  cudaStreamSynchronize(stream);
  cudaFreeHost(work->values);
  cudaFreeHost(work);
  cudaStreamDestroy(stream);
}
