//@case {"kernel": "fly", "facts": {"block": [64, 1, 1]}}
struct State { float x, v; };

__device__ State moved(State s, float push, float dt) {
  s.x += s.v * dt;
  s.v += push * dt;
  return s;
}

__global__ void fly(const float* plan, const float* stones, float* cost, int turns, int count, float dt) {
  const int path = blockIdx.x;
  if (plan[path] < 0.0f) return;
  __shared__ float near[256];
  for (int i = threadIdx.x; i < count; i += blockDim.x) near[i] = stones[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    State s = {0.0f, 1.0f};
    float sum = 0.0f;
    for (int t = 0; t < turns; ++t) {
      s = moved(s, plan[path * turns + t], dt);
      float hit = 0.0f;
      for (int k = 0; k < count; ++k) { //@ instructions=900000
        const float d = near[k] - s.x; //@ instructions=900000
        hit += d * d < 1.0f ? 1.0f : 0.0f; //@ instructions=900000
      }
      sum += hit + s.v * s.v;
    }
    cost[path] = sum;
  }
}
void run(const float* plan, const float* stones, float* cost, int turns, int count, float dt) { fly<<<100, 64>>>(plan, stones, cost, turns, count, dt); }
