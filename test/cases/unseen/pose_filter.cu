// Motion capture clean-up: each joint's pose smoothed over nine frames, the rotation renormalised.
// Tracks are [joint][frame], a pose is eight floats. Frames beyond the ends repeat the last pose.
#include <cuda_runtime.h>

static constexpr int kFrames = 128;
static constexpr int kReach = 4;
static constexpr int kTaps = 2 * kReach + 1;

struct Pose {
  float rotation[4];
  float position[3];
  float confidence;
};
constexpr int kWords = sizeof(Pose) / sizeof(float);

__constant__ float kKernel[kTaps] = {0.028f, 0.066f, 0.121f, 0.175f, 0.220f, 0.175f, 0.121f, 0.066f, 0.028f};

__global__ void smoothPoses(const float* tracks, float* smoothed, int frames) {
  __shared__ Pose window[kFrames + 2 * kReach];
  const int start = blockIdx.x * kFrames;
  const float* track = tracks + static_cast<size_t>(blockIdx.y) * frames * kWords;
  float* result = smoothed + static_cast<size_t>(blockIdx.y) * frames * kWords;
  float* words = reinterpret_cast<float*>(window);

  for (int w = threadIdx.x; w < (kFrames + 2 * kReach) * kWords; w += kFrames) {
    const int frame = min(max(start + w / kWords - kReach, 0), frames - 1);
    words[w] = track[frame * kWords + w % kWords];
  }
  __syncthreads();

  Pose sum = {};
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) {
    const Pose& pose = window[threadIdx.x + tap];
    const float share = kKernel[tap];
    for (int i = 0; i < 4; ++i) sum.rotation[i] += share * pose.rotation[i];
    for (int i = 0; i < 3; ++i) sum.position[i] += share * pose.position[i];
    sum.confidence += share * pose.confidence;
  }
  float length2 = 1e-12f;
  for (int i = 0; i < 4; ++i) length2 += sum.rotation[i] * sum.rotation[i];
  const float unit = rsqrtf(length2);
  for (int i = 0; i < 4; ++i) sum.rotation[i] *= unit;

  __syncthreads();
  window[threadIdx.x] = sum;
  __syncthreads();
  const int count = min(kFrames, frames - start) * kWords;
  for (int w = threadIdx.x; w < count; w += kFrames) result[start * kWords + w] = words[w];
}

void smoothTracks(const float* tracks, float* smoothed, int joints, int frames) {
  smoothPoses<<<dim3((frames + kFrames - 1) / kFrames, joints), kFrames>>>(tracks, smoothed, frames);
}
