//@case {"kernel": "shift", "facts": {"block": [256, 1, 1]}}
__global__ void shift(float* x, float* y) {
  __shared__ float own[256];
  own[threadIdx.x] = y[threadIdx.x];
  x[threadIdx.x] = own[threadIdx.x] * 2.0f;
  __syncthreads();  //@ barriers=512
  own[threadIdx.x] += x[255 - threadIdx.x];
  y[threadIdx.x] = own[threadIdx.x];
}
void run(float* x, float* y) { shift<<<1, 256>>>(x, y); }
