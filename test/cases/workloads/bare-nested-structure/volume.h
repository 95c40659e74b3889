#pragma once
#include <cuda_runtime.h>

// Where the samples of a volume lie: what cudaMalloc3D gave, and how many there are along each axis.
struct Volume {
  cudaPitchedPtr memory;
  dim3 extent;
};

class Window {
 public:
  float centre;
  float width;
  bool inverted = false;
  float apply(float value) const;
};
