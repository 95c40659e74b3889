#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

// Procedural clouds: four octaves of value noise over a square texture.

constexpr int kSize = 512;
constexpr int kOctaves = 4;

__host__ __device__ inline float lattice(std::uint32_t x, std::uint32_t y, std::uint32_t seed)
{
    std::uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u ^ seed * 0xcb1ab31fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    return (h >> 8) * (1.0f / 16777216.0f);
}

__host__ __device__ inline float cloud(int x, int y)
{
    float value = 0.0f, amplitude = 0.5f;
    int shift = 6;
    for (int o = 0; o < kOctaves; ++o, --shift, amplitude *= 0.5f) {
        const int cx = x >> shift, cy = y >> shift, mask = (1 << shift) - 1;
        const float inverse = 1.0f / (float)(1 << shift);
        float u = (x & mask) * inverse, v = (y & mask) * inverse;
        u = u * u * (3.0f - 2.0f * u);
        v = v * v * (3.0f - 2.0f * v);
        const float top = lattice(cx, cy, o) * (1.0f - u) + lattice(cx + 1, cy, o) * u;
        const float bottom = lattice(cx, cy + 1, o) * (1.0f - u) + lattice(cx + 1, cy + 1, o) * u;
        value += amplitude * (top * (1.0f - v) + bottom * v);
    }
    return value;
}

__global__ void fillNoise(float* texture, int texels)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < texels; i += blockDim.x * gridDim.x)
        texture[i] = cloud(i & (kSize - 1), i / kSize);
}

int main()
{
    const int texels = kSize * kSize;
    float* texture = nullptr;
    if (cudaMalloc(&texture, texels * sizeof(float)) != cudaSuccess) return 2;

    fillNoise<<<8, 128>>>(texture, texels);

    std::vector<float> image(texels);
    if (cudaMemcpy(image.data(), texture, texels * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    cudaFree(texture);

    int wrong = 0;
    for (int i = 0; i < texels; ++i)
        if (std::fabs(image[i] - cloud(i % kSize, i / kSize)) > 1e-4f) ++wrong;
    std::printf("%d of %d texels wrong: %s\n", wrong, texels, wrong == 0 ? "PASS" : "FAIL");
    return wrong == 0 ? 0 : 1;
}
