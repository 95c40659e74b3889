struct Particle {
  float px, py, pz;
  float vx, vy, vz;
  float mass;
};

__global__ void integrate(Particle* bodies, int count, float dt) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  Particle& b = bodies[id];
  b.vz -= 9.81f * dt;
  b.px += b.vx * dt;
  b.py += b.vy * dt;
  b.pz += b.vz * dt;
}

void step(Particle* bodies, int count, float dt) {
  const int T = 128;
  integrate<<<(count + T - 1) / T, T>>>(bodies, count, dt);
}
