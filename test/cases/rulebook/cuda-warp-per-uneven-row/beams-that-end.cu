//@case {"kernel": "cast"}
#define FRACTION 12
__global__ void cast(const float *map, const int *dx, const int *dy, const int *length, float *score, int *seen, int beams, int width, int height)
{
    int beam = threadIdx.x + blockIdx.x * blockDim.x;
    float sum = 0.f;
    int count = 0;
    if (beam >= beams) return;
    int end = length[beam];
    int across = dx[beam], down = dy[beam];
    for (int s = 0; s < end; s++) {  //@ instructions=9000 threadInstructions=90000 divergentBranches=90
        int x = width / 2 + ((s * across) >> FRACTION);
        int y = height / 2 + ((s * down) >> FRACTION);
        if (x < 0 || y < 0 || x >= width || y >= height)
            break;
        sum += map[y * width + x];  //@ instructions=9000 threadInstructions=90000 globalLoadSectors=8000 globalLoadSectorsIdeal=7000
        count++;
    }
    score[beam] = sum;
    seen[beam] = count;
}
void run(const float *map, const int *dx, const int *dy, const int *length, float *score, int *seen, int beams, int width, int height)
{
    cast<<<(beams + 255) / 256, 256>>>(map, dx, dy, length, score, seen, beams, width, height);
}
