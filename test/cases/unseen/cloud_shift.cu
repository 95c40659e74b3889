// Moves a cloud of x y z triples. Written by hand from the CPU loop.
__global__ void shift_cloud(float *xyz, float dx, float dy, float dz, int points)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < points)
    {
        float *p = xyz;
        p += id * 3;
        *p++ += dx;
        *p++ += dy;
        *p += dz;
    }
}
void shift(float *xyz, float dx, float dy, float dz, int points)
{
    int tpb = 192;
    shift_cloud<<<(points + tpb - 1) / tpb, tpb>>>(xyz, dx, dy, dz, points);
}
