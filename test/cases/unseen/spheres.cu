struct Sphere {
  float cx, cy, cz;
  float radius;
  float mass;
};

__device__ float reach(const Sphere& s) { return sqrtf(s.cx * s.cx + s.cy * s.cy + s.cz * s.cz) + s.radius; }

__global__ void boundingRadius(const Sphere* __restrict__ spheres, float* __restrict__ reachOf, int howMany) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  while (tid < howMany) {
    reachOf[tid] = reach(spheres[tid]);
    tid += stride;
  }
}

void bounding(const float* spheres, float* reachOf, int howMany) {
  boundingRadius<<<(howMany + 127) / 128, 128>>>(reinterpret_cast<const Sphere*>(spheres), reachOf, howMany);
}
