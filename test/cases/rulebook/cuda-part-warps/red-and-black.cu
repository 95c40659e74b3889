//@case {"kernel": "relax"}
namespace solver {
constexpr int Side = 16;
enum Colour : int { Red = 0, Black = 1 };
__global__ void relax(float* __restrict__ u, const float* __restrict__ f, int width, int height, Colour colour)
{
    const int x = blockIdx.x * Side + threadIdx.x;
    const int y = blockIdx.y * Side + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const bool mine = ((x + y) & 1) == colour;
    if (mine)  //@ divergentBranches=512 branches=512
        u[y * width + x] = 0.25f * (u[y * width + x - 1] + u[y * width + x + 1] - f[y * width + x]);
}
void sweep(float* u, const float* f, int w, int h)
{
    const dim3 block(Side, Side);
    const dim3 grid((w + Side - 1) / Side, (h + Side - 1) / Side);
    relax<<<grid, block>>>(u, f, w, h, Red);
}
}
