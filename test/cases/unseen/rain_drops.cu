// Each block of one thread walks one drop of rain down a slope.
struct Slope { float steep, rough; };
__device__ float fall(float h, const Slope& s) { return h - s.steep * 0.1f - s.rough * h * 0.01f; }
__global__ void runDrops(const float* height, float* low, Slope s, int steps) {
    int drop = blockIdx.x;
    float h = height[drop];
    for (int k = 0; k < steps; ++k) h = fall(h, s);
    low[drop] = h;
}
void simulateDrops(const float* height, float* low, int drops, int steps) {
    Slope s{0.5f, 0.2f};
    runDrops<<<drops, 1>>>(height, low, s, steps);
}
