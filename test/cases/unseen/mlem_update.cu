// MLEM image update for a 2-D scanner with many axial slices: the back projection of the
// ratio sinogram is a product of the (dense, symmetric-reduced) system matrix with all slices
// at once, followed by the multiplicative update.
//   image'[v][s] = image[v][s] * (sum_d A[v][d] * ratio[d][s]) / sensitivity[v]
#include <cuda_runtime.h>

template <typename T>
struct Matrix2D {
  T* data;
  int rows;
  int cols;

  __device__ T& operator()(int r, int c) const { return data[r * cols + c]; }
  __device__ bool inside(int r, int c) const { return r < rows && c < cols; }
};

template <typename T, int TILE>
__global__ void backProjectAndUpdate(Matrix2D<const T> system, Matrix2D<const T> ratio, const T* sensitivity,
                                     Matrix2D<const T> image, Matrix2D<T> updated) {
  __shared__ T sysTile[TILE][TILE];
  __shared__ T ratioTile[TILE][TILE];

  const int voxel = blockIdx.y * TILE + threadIdx.y;
  const int slice = blockIdx.x * TILE + threadIdx.x;
  const int bins = system.cols;

  T sum = T(0);
  for (int first = 0; first < bins; first += TILE) {
    const int binX = first + threadIdx.x;
    const int binY = first + threadIdx.y;
    sysTile[threadIdx.y][threadIdx.x] = system.inside(voxel, binX) ? system(voxel, binX) : T(0);
    ratioTile[threadIdx.y][threadIdx.x] = ratio.inside(binY, slice) ? ratio(binY, slice) : T(0);
    __syncthreads();

#pragma unroll
    for (int d = 0; d < TILE; ++d) sum += sysTile[threadIdx.y][d] * ratioTile[d][threadIdx.x];
    __syncthreads();
  }

  if (!updated.inside(voxel, slice)) return;
  updated(voxel, slice) = image(voxel, slice) * sum / sensitivity[voxel];
}

void mlemUpdate(const float* system, const float* ratio, const float* sensitivity, const float* image,
                float* updated, int voxels, int bins, int slices) {
  constexpr int kTile = 16;
  const dim3 block(kTile, kTile);
  const dim3 grid((slices + kTile - 1) / kTile, (voxels + kTile - 1) / kTile);
  backProjectAndUpdate<float, kTile><<<grid, block>>>(
      Matrix2D<const float>{system, voxels, bins}, Matrix2D<const float>{ratio, bins, slices}, sensitivity,
      Matrix2D<const float>{image, voxels, slices}, Matrix2D<float>{updated, voxels, slices});
}
