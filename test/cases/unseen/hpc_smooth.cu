// One sweep of the vertical smoother; arrays are column-major as in the Fortran code, i runs fastest.
#define NXD(nx) ((nx) + 2)
#define U(i, j) u[(i) + NXD(nx) * (j)]
#define UNEW(i, j) unew[(i) + NXD(nx) * (j)]

typedef float real_t;

__global__ void smooth_vert(int nx, int ny, const real_t *__restrict__ u, real_t *__restrict__ unew, real_t alpha)
{
  const int j = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int i = 1 + blockIdx.y * blockDim.y + threadIdx.y;

  if (i <= nx && j <= ny) {
    UNEW(i, j) = U(i, j) + alpha * (U(i, j - 1) - (real_t)2.0 * U(i, j) + U(i, j + 1));
  }
}

void smooth(int nx, int ny, const real_t *u, real_t *unew, real_t alpha)
{
  dim3 nthr(32, 8, 1);
  dim3 nblk((ny + nthr.x - 1) / nthr.x, (nx + nthr.y - 1) / nthr.y, 1);
  smooth_vert<<<nblk, nthr>>>(nx, ny, u, unew, alpha);
}
