//@case {"kernel": "tally"}
// The pointer of a structure is handed on, moved to a counter, and given to an atomic.
struct Job { const unsigned char* marks; unsigned int* counts; int n; };
__device__ void note(unsigned int* counts, int mark) {
  unsigned int* own = counts + mark;
  atomicAdd(own, 1u);
}
__global__ void tally(Job job) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < job.n; i += gridDim.x * blockDim.x)
    note(job.counts, job.marks[i]);
}
