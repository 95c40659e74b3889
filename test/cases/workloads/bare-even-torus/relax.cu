// One half step of over-relaxation on a periodic sheet of ny x nx points: points of one parity only
// look at points of the other one.
// Preconditions: nx and ny are even; 0 < omega < 2.
__global__ void relax_parity(double* u, const double* rhs, int nx, int ny, double h2, double omega, int parity)
{
    const int half = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= ny || 2 * half >= nx) return;
    const int col = 2 * half + ((row + parity) & 1);
    if (col >= nx) return;
    const int above = (row + ny - 1) % ny, below = (row + 1) % ny;
    const int west = (col + nx - 1) % nx, east = (col + 1) % nx;
    const double around = u[above * nx + col] + u[below * nx + col] + u[row * nx + west] + u[row * nx + east];
    double* own = u + row * nx + col;
    *own += omega * (0.25 * (around - h2 * rhs[row * nx + col]) - *own);
}
