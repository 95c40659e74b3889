// fx/spark_emitter.cu - GPU sparks for the forge level.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

namespace fx {

struct Spark {
    float3 position;
    float  age;
    float3 velocity;
    float  lifetime;
    float4 tint;
    float2 uvScroll;
    float  size;
    float  spin;
};

struct Wind {
    float3 dir;
    float  drag;
};

__global__ void simulateSparks(Spark* sparks, int count, Wind wind, float gravity, float floorY, float dt)
{
    const int id = blockDim.x * blockIdx.x + threadIdx.x;
    if (id >= count) return;

    Spark& s = sparks[id];
    if (s.age > s.lifetime) return;

    s.velocity.x += (wind.dir.x - s.velocity.x) * wind.drag * dt;
    s.velocity.y += ((wind.dir.y - s.velocity.y) * wind.drag - gravity) * dt;
    s.velocity.z += (wind.dir.z - s.velocity.z) * wind.drag * dt;

    s.position.x += s.velocity.x * dt;
    s.position.y += s.velocity.y * dt;
    s.position.z += s.velocity.z * dt;

    if (s.position.y < floorY) {
        s.position.y = floorY + (floorY - s.position.y) * 0.4f;
        s.velocity.y = -0.4f * s.velocity.y;
    }
    s.age += dt;
}

class SparkEmitter {
public:
    explicit SparkEmitter(const std::vector<Spark>& initial) : count_(static_cast<int>(initial.size()))
    {
        cudaMalloc(&sparks_, count_ * sizeof(Spark));
        cudaMemcpy(sparks_, initial.data(), count_ * sizeof(Spark), cudaMemcpyHostToDevice);
    }
    ~SparkEmitter() { cudaFree(sparks_); }

    void tick(float dt)
    {
        constexpr int kThreads = 128;
        const Wind wind{make_float3(1.5f, 0.1f, -0.3f), 0.8f};
        simulateSparks<<<(count_ + kThreads - 1) / kThreads, kThreads>>>(sparks_, count_, wind, 9.81f, 0.0f, dt);
    }

    std::vector<Spark> read() const
    {
        std::vector<Spark> out(count_);
        cudaMemcpy(out.data(), sparks_, count_ * sizeof(Spark), cudaMemcpyDeviceToHost);
        return out;
    }

private:
    Spark* sparks_ = nullptr;
    int count_;
};

} // namespace fx

int main()
{
    std::vector<fx::Spark> initial(100000);
    unsigned seed = 17;
    auto rnd = [&seed] { seed = seed * 1664525u + 1013904223u; return (seed >> 8) / 16777216.0f; };
    for (fx::Spark& s : initial) {
        s.position = make_float3(rnd(), 2 * rnd(), rnd());
        s.velocity = make_float3(rnd() - 0.5f, 4 * rnd(), rnd() - 0.5f);
        s.age = rnd();
        s.lifetime = 1.0f + rnd();
        s.tint = make_float4(1, 0.7f, 0.2f, 1);
        s.uvScroll = make_float2(0, 0);
        s.size = 0.02f;
        s.spin = 0;
    }
    fx::SparkEmitter emitter(initial);
    emitter.tick(1.0f / 60.0f);
    const std::vector<fx::Spark> now = emitter.read();
    double height = 0;
    for (const fx::Spark& s : now) height += s.position.y;
    std::printf("mean height %f\n", height / now.size());
    return 0;
}
