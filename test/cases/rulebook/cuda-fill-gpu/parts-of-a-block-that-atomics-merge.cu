//@case {"kernel": "energy"}
__global__ void energy(const double* v, double* total, int count) {
  __shared__ double part[4];
  double own = 0.0;
  const int first = threadIdx.x + blockDim.x * blockIdx.x;
  for (int k = first; k < count; k += gridDim.x * blockDim.x) own += v[k] * v[k];  //@ instructions=4096
  for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(~0u, own, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, part[0] + part[1] + part[2] + part[3]);
}

void run(const double* v, double* total, int count) { energy<<<16, 128>>>(v, total, count); }
