//@case {"kernel": "relay"}
__device__ void put(float* place, float value) { *place = value; }

__global__ void relay(float* x, int steps) {
  __shared__ float row[256];
  row[threadIdx.x] = 0.0f;
  __syncthreads();  //@ barriers=8
  float own = x[threadIdx.x];
  for (int s = 0; s < steps; ++s) {
    put(row + threadIdx.x, own);
    __syncthreads();  //@ barriers=720
    own += row[255 - threadIdx.x];
    __syncthreads();  //@ barriers=720
  }
  x[threadIdx.x] = own;
}

void run(float* x, int steps) { relay<<<1, 256>>>(x, steps); }
