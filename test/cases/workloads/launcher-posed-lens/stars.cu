#include <cuda_runtime.h>

struct Pose { float turn[3][3]; float3 from; };
struct Lens { Pose pose; float focal; int2 pixels; float2 centre; };

__constant__ Lens lens;

// Where each star is seen, and whether that is on the plate
__global__ void seeStars(const float4 *__restrict__ stars, int count, float2 *__restrict__ seen, unsigned char *__restrict__ onPlate)
{
    int s = threadIdx.x + blockDim.x * blockIdx.x;
    if (s < count) {
        float4 star = stars[s];
        float at[3];
        for (int axis = 0; axis < 3; ++axis)
            at[axis] = lens.pose.turn[axis][0] * (star.x - lens.pose.from.x) + lens.pose.turn[axis][1] * (star.y - lens.pose.from.y) +
                       lens.pose.turn[axis][2] * (star.z - lens.pose.from.z);
        float depth = fmaxf(fabsf(at[2]), 1e-3f);
        float2 place = make_float2(lens.focal * at[0] / depth + lens.centre.x, lens.focal * at[1] / depth + lens.centre.y);
        seen[s] = place;
        onPlate[s] = at[2] > 0 && place.x >= 0 && place.y >= 0 && place.x < lens.pixels.x && place.y < lens.pixels.y;
    }
}

void see_stars(const Lens &through, const float4 *stars, int count, float2 *seen, unsigned char *on_plate)
{
    cudaMemcpyToSymbol(lens, &through, sizeof through);
    seeStars<<<(count + 127) / 128, 128>>>(stars, count, seen, on_plate);
}
