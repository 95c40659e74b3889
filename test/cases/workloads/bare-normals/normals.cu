// vertex normals of a height field
__global__ void heightfield_normals(const float *height, float3 *normal, int w, int h, float dx)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!(x < w && y < h)) return;
    int xl = x > 0 ? x - 1 : x, xr = x < w - 1 ? x + 1 : x;
    int yu = y > 0 ? y - 1 : y, yd = y < h - 1 ? y + 1 : y;
    float sx = (height[y * w + xr] - height[y * w + xl]) / ((xr - xl) * dx);
    float sy = (height[yd * w + x] - height[yu * w + x]) / ((yd - yu) * dx);
    float inv = rsqrtf(sx * sx + sy * sy + 1.f);
    normal[y * w + x] = make_float3(-sx * inv, -sy * inv, inv);
}
