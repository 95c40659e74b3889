//@case {"kernel": "unwind"}
#define AXES 3
// Turns of three numbers, some of them kept, points in steps of the grid.
__global__ void unwind(const double* path, double* smooth, int points, int steps) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < points; p += gridDim.x * blockDim.x) {
    double last[AXES] = {0, 0, 0};
    for (int s = 0; s < steps; s++) {
      for (int a = 0; a < AXES; a++) {
        double now = path[(p * steps + s) * AXES + a]; //@ globalLoadSectors=6144 globalLoadSectorsIdeal=768
        last[a] = 0.5 * (last[a] + now);
        if (now > 0) smooth[(p * steps + s) * AXES + a] = last[a]; //@ globalStoreSectors=6144 globalStoreSectorsIdeal=768
      }
    }
  }
}
void run(const double* path, double* smooth, int points, int steps) { unwind<<<64, 64>>>(path, smooth, points, steps); }
