#include <cuda_runtime.h>

// ICP, robust centroid step: weights of the correspondences (Cauchy kernel) and the
// weighted sums of both clouds. The solver adds up the partial sums of the blocks.

namespace registration {

constexpr int kThreads = 256;
constexpr int kPointsPerThread = 4;

struct Partial {
    float4 source;  // xyz: weighted sum, w: total weight
    float4 target;  // xyz: weighted sum, w: weighted squared error
};

__device__ inline void accumulate(float4& s, const float4& p, float w, float extra)
{
    s.x += w * p.x;
    s.y += w * p.y;
    s.z += w * p.z;
    s.w += extra;
}

__global__ void centroidPartials(const float4* __restrict__ source, const float4* __restrict__ target,
                                 Partial* __restrict__ partials, float invScale2, int numPoints)
{
    __shared__ float4 sharedSource[kThreads];
    __shared__ float4 sharedTarget[kThreads];

    float4 s = make_float4(0.f, 0.f, 0.f, 0.f);
    float4 t = make_float4(0.f, 0.f, 0.f, 0.f);
    const int begin = blockIdx.x * kThreads * kPointsPerThread + threadIdx.x;
    for (int k = 0; k < kPointsPerThread; ++k) {
        const int i = begin + k * kThreads;
        if (i < numPoints) {
            const float4 p = source[i];
            const float4 q = target[i];
            const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
            const float d2 = dx * dx + dy * dy + dz * dz;
            const float w = 1.f / (1.f + d2 * invScale2);
            accumulate(s, p, w, w);
            accumulate(t, q, w, w * d2);
        }
    }
    sharedSource[threadIdx.x] = s;
    sharedTarget[threadIdx.x] = t;
    __syncthreads();

    if (threadIdx.x == 0) {
        Partial sum;
        sum.source = make_float4(0.f, 0.f, 0.f, 0.f);
        sum.target = make_float4(0.f, 0.f, 0.f, 0.f);
        for (int j = 0; j < kThreads; ++j) {
            accumulate(sum.source, sharedSource[j], 1.f, sharedSource[j].w);
            accumulate(sum.target, sharedTarget[j], 1.f, sharedTarget[j].w);
        }
        partials[blockIdx.x] = sum;
    }
}

}  // namespace registration

void robustCentroids(const float4* source, const float4* target, registration::Partial* partials,
                     float scale, int numPoints)
{
    using namespace registration;
    const int perBlock = kThreads * kPointsPerThread;
    centroidPartials<<<(numPoints + perBlock - 1) / perBlock, kThreads>>>(source, target, partials,
                                                                         1.f / (scale * scale), numPoints);
}
