// brightness change under tracked points, which lie between the pixels of both frames
__device__ float between(const float* frame, int across, float u, float v)
{
    const int column = int(u);
    const int line = int(v);
    const float right = u - column;
    const float below = v - line;
    const float* corner = frame + line * across + column;
    const float upper = corner[0] + right * (corner[1] - corner[0]);
    const float lower = corner[across] + right * (corner[across + 1] - corner[across]);
    return upper + below * (lower - upper);
}

__global__ void change_at(const float* before, const float* after, const float2* spots, float* change, int across, int down, int count)
{
    const int spot = blockIdx.x * blockDim.x + threadIdx.x;
    if (spot >= count) return;
    const float2 p = spots[spot];
    change[spot] = between(after, across, p.x, p.y) - between(before, across, p.x, p.y);
}
