// the nearest point within `reach` of each centre; where there is none, `nearest` stays as the caller has it
extern "C" __global__ void neighbours(const float* __restrict__ centre, const float* __restrict__ point,
                                      int* __restrict__ nearest, int centres, int points, float reach) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= centres) return;
    float best = reach * reach;
    for (int p = 0; p < points; ++p) {
        const float dx = centre[2 * c] - point[2 * p];
        const float dy = centre[2 * c + 1] - point[2 * p + 1];
        const float distance = dx * dx + dy * dy;
        if (distance < best) {
            best = distance;
            nearest[c] = p;
        }
    }
}
