struct Body {
  float x, y, z;
  float vx, vy, vz;
  float mass;
  float charge;
};

__device__ __forceinline__ void push(Body* b, float fx, float fy, float dt) {
  float inv = 1.0f / b->mass;
  b->vx += fx * b->charge * inv * dt;
  b->vy += fy * b->charge * inv * dt;
  b->x += b->vx * dt;
  b->y += b->vy * dt;
}

__global__ void integrate(Body* bodies, int n, float fx, float fy, float dt) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    push(&bodies[i], fx, fy, dt);
  }
}

void advance(Body* bodies, int n) {
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  integrate<<<blocks, threads>>>(bodies, n, 0.5f, -0.25f, 0.01f);
}
