//@case {"kernel": "forces"}
template <class Real3, int MOST>
__global__ void forces(const Real3* position, const int* list, const int* counts, Real3* out, float* moments, int atoms) {
  for (int atom = blockIdx.x * blockDim.x + threadIdx.x; atom < atoms; atom += gridDim.x * blockDim.x) {
    Real3 force = {0.0f, 0.0f, 0.0f};
    float moment[2] = {0.0f, 0.0f};
    const int count = counts[atom];
    for (int k = 0; k < count; k++) {  //@ instructions=9000 threadInstructions=90000 divergentBranches=90
      const Real3 other = position[list[atom * MOST + k]];  //@ instructions=9000 threadInstructions=90000 globalLoadSectors=8000 globalLoadSectorsIdeal=7000
      force.x += other.x;
      force.y += other.y;
      force.z -= other.z;
      moment[0] += other.x * other.y;
      moment[1] += other.z;
    }
    out[atom] = force;
    moments[2 * atom] = moment[0];
    moments[2 * atom + 1] = moment[1];
  }
}
void run(const float3* p, const int* list, const int* counts, float3* out, float* m, int atoms) {
  forces<float3, 64><<<256, 128>>>(p, list, counts, out, m, atoms);
}
