// Shallow water equations on a staggered grid, one forward-backward step (lake Balaton test case).
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct State {
    float* h;   // surface elevation, cell centres
    float* u;   // west face
    float* v;   // south face
};

__global__ void update_velocity(State s, const float* __restrict__ depth, int nx, int ny, float g_dt_dx,
                                float friction)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= nx || j >= ny) return;
    int c = j * nx + i;
    float wet = depth[c] > 0.f ? 1.f : 0.f;
    s.u[c] = wet * friction * (s.u[c] - g_dt_dx * (s.h[c] - s.h[c - 1]));
    s.v[c] = wet * friction * (s.v[c] - g_dt_dx * (s.h[c] - s.h[c - nx]));
}

__global__ void update_surface(State s, const float* __restrict__ depth, int nx, int ny, float dt_dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx - 1 || j >= ny - 1) return;
    int c = j * nx + i;
    float div = s.u[c + 1] - s.u[c] + s.v[c + nx] - s.v[c];
    s.h[c] -= dt_dx * depth[c] * div;
}

static void step(State s, const float* depth, int nx, int ny)
{
    const dim3 threads(4, 4);
    const dim3 blocks((nx + threads.x - 1) / threads.x, (ny + threads.y - 1) / threads.y);
    update_velocity<<<blocks, threads>>>(s, depth, nx, ny, 0.0981f, 0.999f);
    update_surface<<<blocks, threads>>>(s, depth, nx, ny, 0.01f);
}

int main()
{
    const int nx = 480, ny = 260;
    std::vector<float> h(nx * ny), depth(nx * ny), u(nx * ny), v(nx * ny);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            float r = std::hypot(i - 200.f, j - 110.f);
            h[j * nx + i] = 0.5f * std::exp(-r * r / 4000.f) + 0.2f * std::sin(0.1f * i);
            depth[j * nx + i] = 3.2f + 0.5f * std::sin(0.05f * i);
            u[j * nx + i] = 0.4f * std::sin(0.03f * i + 0.02f * j);
            v[j * nx + i] = 0.3f * std::cos(0.04f * j - 0.01f * i);
        }
    State s;
    float* d;
    const size_t bytes = h.size() * sizeof(float);
    cudaMalloc(&s.h, bytes);
    cudaMalloc(&s.u, bytes);
    cudaMalloc(&s.v, bytes);
    cudaMalloc(&d, bytes);
    cudaMemcpy(s.h, h.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(s.u, u.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(s.v, v.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d, depth.data(), bytes, cudaMemcpyHostToDevice);
    step(s, d, nx, ny);
    cudaMemcpy(h.data(), s.h, bytes, cudaMemcpyDeviceToHost);
    double volume = 0;
    for (float x : h) volume += x;
    printf("volume %.4f\n", volume);
}
