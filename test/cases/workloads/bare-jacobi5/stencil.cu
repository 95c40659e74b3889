#define AT(p, r, c) (p)[(r) * nx + (c)]

__global__ void jacobi5(const double *__restrict__ a, double *__restrict__ b, int nx, int ny)
{
    int c = threadIdx.x + blockIdx.x * blockDim.x;
    int r = threadIdx.y + blockIdx.y * blockDim.y;

    if (c > 0 && r > 0 && c < nx - 1 && r < ny - 1)
        AT(b, r, c) = 0.2 * (AT(a, r, c) + AT(a, r, c - 1) + AT(a, r, c + 1) + AT(a, r - 1, c) + AT(a, r + 1, c));
}
