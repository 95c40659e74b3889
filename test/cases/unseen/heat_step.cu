#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define BX 32
#define BY 8
#define AT(r, c) ((r) * nx + (c))

__global__ void heat_step(const float* __restrict__ cur, float* __restrict__ nxt, int nx, int ny, float alpha) {
    const int c = blockDim.x * blockIdx.x + threadIdx.x;
    const int r = blockDim.y * blockIdx.y + threadIdx.y;
    if (c > 0 && c < nx - 1 && r > 0 && r < ny - 1) {
        const float mid = cur[AT(r, c)];
        nxt[AT(r, c)] = mid + alpha * (cur[AT(r - 1, c)] + cur[AT(r + 1, c)] + cur[AT(r, c - 1)] + cur[AT(r, c + 1)] - 4.0f * mid);
    } else if (c < nx && r < ny) {
        nxt[AT(r, c)] = cur[AT(r, c)];
    }
}

extern "C" void advance(const float* cur, float* nxt, int nx, int ny, float alpha) {
    dim3 block(BX, BY);
    dim3 grid(CEIL_DIV(nx, BX), CEIL_DIV(ny, BY));
    heat_step<<<grid, block>>>(cur, nxt, nx, ny, alpha);
}
