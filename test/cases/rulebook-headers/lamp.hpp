struct Lamp {
  float power;
  __device__ float dimmed(float v) const {
    float t = v;
    if (t > 1) t = 1;
    return power * 0.8 * t;
  }
};
