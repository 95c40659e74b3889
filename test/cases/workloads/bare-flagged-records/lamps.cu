enum LampBits : unsigned { LAMP_ON = 1u, LAMP_DIMS = 2u };
struct Lamp {
    float3 place;
    float power;
    float3 colour;
    float fade;
    float hours;
    float limit;
    unsigned bits;
    unsigned seed;
};
// An hour of all lamps: those that burn lose power, and go out at their limit.
__global__ void burn(Lamp *lamps, int count, float step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Lamp &lamp = lamps[i];
    if (!(lamp.bits & LAMP_ON)) return;
    if (lamp.bits & LAMP_DIMS) lamp.power -= lamp.fade * step;
    lamp.hours += step;
    if (lamp.hours > lamp.limit) lamp.bits &= ~LAMP_ON;
}
