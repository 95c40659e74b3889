#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>

// The same move written over an array of structures and over a structure of arrays.
struct Particle {
  float px, py, pz;
  float vx, vy, vz;
  int   alive;
  float age;
};

struct ParticleArrays {
  float *px, *py, *pz, *vx, *vy, *vz, *age;
  int *alive;
};

__global__ void move_aos(Particle *p, int n, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !p[i].alive) return;
  p[i].vy -= 9.81f * dt;
  p[i].px += p[i].vx * dt;
  p[i].py += p[i].vy * dt;
  p[i].pz += p[i].vz * dt;
  p[i].age += dt;
  if (p[i].py < 0.f) p[i].alive = 0;
}

__global__ void move_soa(ParticleArrays p, int n, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !p.alive[i]) return;
  float vy = p.vy[i] - 9.81f * dt;
  p.vy[i] = vy;
  p.px[i] += p.vx[i] * dt;
  float y = p.py[i] + vy * dt;
  p.py[i] = y;
  p.pz[i] += p.vz[i] * dt;
  p.age[i] += dt;
  if (y < 0.f) p.alive[i] = 0;
}

int main()
{
  const int n = 3000, steps = 10;
  const float dt = 0.02f;
  Particle *aos = new Particle[n];
  for (int i = 0; i < n; i++)
    aos[i] = {float(i), 1.f + i % 5 * 0.2f, 0.f, 0.1f * (i % 9), float(i % 4) - 2.f, 1.f, i % 31 != 0, 0.f};

  Particle *d_aos;
  cudaMalloc(&d_aos, n * sizeof(Particle));
  cudaMemcpy(d_aos, aos, n * sizeof(Particle), cudaMemcpyHostToDevice);

  ParticleArrays soa;
  float **fields[] = {&soa.px, &soa.py, &soa.pz, &soa.vx, &soa.vy, &soa.vz};
  float *tmp = new float[n];
  for (int f = 0; f < 6; f++) {
    for (int i = 0; i < n; i++) tmp[i] = (&aos[i].px)[f];
    cudaMalloc(fields[f], n * sizeof(float));
    cudaMemcpy(*fields[f], tmp, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  int *alive = new int[n];
  for (int i = 0; i < n; i++) alive[i] = aos[i].alive;
  cudaMalloc(&soa.alive, n * sizeof(int));
  cudaMemcpy(soa.alive, alive, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMalloc(&soa.age, n * sizeof(float));
  cudaMemset(soa.age, 0, n * sizeof(float));

  for (int s = 0; s < steps; s++) {
    move_aos<<<(n + 127) / 128, 128>>>(d_aos, n, dt);
    move_soa<<<(n + 127) / 128, 128>>>(soa, n, dt);
  }
  cudaMemcpy(aos, d_aos, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  cudaMemcpy(tmp, soa.py, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(alive, soa.alive, n * sizeof(int), cudaMemcpyDeviceToHost);
  int diff = 0, dead = 0;
  for (int i = 0; i < n; i++) { diff += tmp[i] != aos[i].py || alive[i] != aos[i].alive; dead += !alive[i]; }
  printf("%d dead, %d different\n", dead, diff);
  return diff != 0;
}
