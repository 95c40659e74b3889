#include <cuda_runtime.h>

struct BodyArrays {
    const float *vx, *vy, *vz;
    const float *invMass;
    unsigned char *asleep;
};

struct FrameStats {
    int *sleeping;
    float *kinetic;
};

#define SLEEP_EPS 0.15f

// Puts slow bodies to sleep and keeps the frame's statistics.
__global__ void SleepBodies(BodyArrays b, FrameStats stats, const int numBodies)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= numBodies)
        return;

    const float v2 = b.vx[id] * b.vx[id] + b.vy[id] * b.vy[id] + b.vz[id] * b.vz[id];
    const bool slow = v2 < SLEEP_EPS;
    b.asleep[id] = slow ? 1 : 0;
    if (slow) {
        atomicAdd(stats.sleeping, 1);
    } else {
        atomicAdd(stats.kinetic, 0.5f * v2 / b.invMass[id]);
    }
}

void StepSleep(const float *vx, const float *vy, const float *vz, const float *invMass, unsigned char *asleep,
               int *sleeping, float *kinetic, int numBodies)
{
    BodyArrays b = {vx, vy, vz, invMass, asleep};
    FrameStats s;
    s.sleeping = sleeping;
    s.kinetic = kinetic;
    const int threads = 192;
    SleepBodies<<<(numBodies + threads - 1) / threads, threads>>>(b, s, numBodies);
}
