#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
    __host__ __device__ Vec3() : x(0), y(0), z(0) {}
    __host__ __device__ Vec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
    __host__ __device__ Vec3 operator+(const Vec3& o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
    __host__ __device__ float dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Agent {
    Vec3 pos;
    Vec3 vel;
    float health;
    int team;
};

__global__ void UpdateAgents(Agent* agents, int count, float dt, float drag)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;

    Agent& a = agents[id];
    float speed2 = a.vel.dot(a.vel);
    a.vel = a.vel * (1.0f - drag * speed2 * dt);
    a.pos = a.pos + a.vel * dt;
}

void TickAgents(Agent* agents, int count, float dt, float drag)
{
    const int kThreads = 128;
    UpdateAgents<<<(count + kThreads - 1) / kThreads, kThreads>>>(agents, count, dt, drag);
}
