// bare kernel that guards by itself
__global__ void rope_half(float *x, const float *cs, const float *sn, int rows, int D, int R)
{
    if (R > D || (R & 1)) return;
    int r = blockIdx.x;
    int i = threadIdx.x;
    if (r >= rows || i >= R / 2) return;
    float a = x[r * D + i], b = x[r * D + i + R / 2];
    float c = cs[r * (R / 2) + i], s = sn[r * (R / 2) + i];
    x[r * D + i] = a * c - b * s;
    x[r * D + i + R / 2] = a * s + b * c;
}
