// Scores a laser scan against an occupancy grid (log-odds, row-major). For each beam: the sum of
// the log-odds of the cells that the beam crosses, and how many of them count as occupied.
// Directions are fixed point, 4096 is one cell a step.
#include <cuda_runtime.h>

namespace mapping {

struct GridView {
  const float* cells;
  int width;
  int height;

  __device__ bool contains(int x, int y) const {
    return static_cast<unsigned>(x) < static_cast<unsigned>(width) &&
           static_cast<unsigned>(y) < static_cast<unsigned>(height);
  }
  __device__ float at(int x, int y) const { return cells[y * width + x]; }
};

struct Scan {
  const int* dirX;
  const int* dirY;
  const int* steps;  // measured range of the beam, in cells
  int beams;
};

constexpr int kFraction = 12;

__global__ void scoreBeams(GridView grid, Scan scan, int2 pose, float occupied, float* __restrict__ score,
                           int* __restrict__ hits) {
  const int beam = blockIdx.x * blockDim.x + threadIdx.x;
  if (beam >= scan.beams) return;

  const int dx = scan.dirX[beam];
  const int dy = scan.dirY[beam];
  const int steps = scan.steps[beam];

  float sum = 0.0f;
  int count = 0;
  for (int s = 0; s < steps; ++s) {
    const int x = pose.x + ((s * dx) >> kFraction);
    const int y = pose.y + ((s * dy) >> kFraction);
    if (!grid.contains(x, y)) break;  // left the map, it will not come back
    const float logOdds = grid.at(x, y);
    sum += logOdds;
    count += logOdds > occupied ? 1 : 0;
  }
  score[beam] = sum;
  hits[beam] = count;
}

void scoreScan(const float* cells, int width, int height, const int* dirX, const int* dirY, const int* steps,
               float* score, int* hits, int beams, float occupied) {
  const GridView grid{cells, width, height};
  const Scan scan{dirX, dirY, steps, beams};
  const int2 pose = make_int2(width / 2, height / 2);
  scoreBeams<<<(beams + 255) / 256, 256>>>(grid, scan, pose, occupied, score, hits);
}

}  // namespace mapping
