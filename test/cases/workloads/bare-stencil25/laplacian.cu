#include <cuda_runtime.h>

constexpr int R = 4;
__constant__ float coeff[R + 1];

// 25-point Laplacian marching along z; planes are tiled in shared memory by the 2-D block
template <int BX, int BY>
__global__ void laplacian25(float* out, const float* in, int nx, int ny, int nz)
{
  __shared__ float s[BY + 2 * R][BX + 2 * R];
  const int ix = blockIdx.x * BX + threadIdx.x, iy = blockIdx.y * BY + threadIdx.y;
  const int plane = nx * ny;
  const bool inside = ix >= R && ix < nx - R && iy >= R && iy < ny - R;
  for (int iz = R; iz < nz - R; ++iz) {
    for (int t = threadIdx.y * BX + threadIdx.x; t < (BX + 2 * R) * (BY + 2 * R); t += BX * BY) {
      const int sx = t % (BX + 2 * R), sy = t / (BX + 2 * R);
      const int gx = (int)blockIdx.x * BX + sx - R, gy = (int)blockIdx.y * BY + sy - R;
      s[sy][sx] = gx >= 0 && gx < nx && gy >= 0 && gy < ny ? in[iz * plane + gy * nx + gx] : 0.f;
    }
    __syncthreads();
    if (inside) {
      const int sx = threadIdx.x + R, sy = threadIdx.y + R;
      const float* p = in + iz * plane + iy * nx + ix;
      float v = 3.f * coeff[0] * s[sy][sx];
#pragma unroll
      for (int k = 1; k <= R; ++k)
        v += coeff[k] * (s[sy][sx - k] + s[sy][sx + k] + s[sy - k][sx] + s[sy + k][sx] + p[-k * plane] + p[k * plane]);
      out[iz * plane + iy * nx + ix] = v;
    }
    __syncthreads();
  }
}

template __global__ void laplacian25<32, 8>(float*, const float*, int, int, int);
