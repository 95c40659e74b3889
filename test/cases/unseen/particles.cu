struct Particle { float px, py, pz, vx, vy, vz, mass; };

__global__ void integrate(Particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].vz -= 9.81f * dt;
        p[i].px += p[i].vx * dt;
        p[i].py += p[i].vy * dt;
        p[i].pz += p[i].vz * dt;
    }
}
void step(Particle *p, float dt, int n) { integrate<<<(n + 255) / 256, 256>>>(p, dt, n); }
