//@case {"kernel": "relax"}
#define BODIES 64
typedef struct { float x, y, vx, vy; } Body;

__global__ void relax(const Body* from, Body* to, int turns) {
  __shared__ Body own[BODIES];
  int t = threadIdx.x;
  own[t] = from[blockIdx.x * BODIES + t];
  __syncthreads();
  for (int k = 0; k < turns; ++k) {
    const Body& next = own[(t + 1) % BODIES];
    float pull = next.x - own[t].x;  //@ sharedWavefronts=800 sharedWavefrontsIdeal=200
    __syncthreads();
    own[t].vx += pull;
    own[t].x += own[t].vx;
    __syncthreads();
  }
  to[blockIdx.x * BODIES + t] = own[t];
}
