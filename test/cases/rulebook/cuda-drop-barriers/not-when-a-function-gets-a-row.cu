//@case {"kernel": "relay", "launches": []}

__device__ void put(float* row, int place, float value) { row[place] = value; }

__global__ void relay(float* x, int steps) {
  __shared__ float rows[2][128];
  rows[0][threadIdx.x] = rows[1][threadIdx.x] = 0.0f;
  __syncthreads();  //@ barriers=8
  float own = x[threadIdx.x];
  for (int s = 0; s < steps; ++s) {
    put(rows[s & 1], threadIdx.x, own);
    __syncthreads();  //@ barriers=720
    own += rows[s & 1][127 - threadIdx.x];
  }
  x[threadIdx.x] = own;
}

void run(float* x, int steps) { relay<<<1, 128>>>(x, steps); }
