//@case {"kernel": "apply_gain"}
constexpr float SEMITONES = 12.0f;
__device__ float pitch(float note) {
  return 440.0f * powf(2.0f, (note - 69.0f) / SEMITONES);  //@ instructions=4000
}
__global__ void apply_gain(const float* in, float* out, const float* gain_db, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = powf(10.0f, gain_db[i] * 0.05f);  //@ instructions=2000
  const float h = std::pow(0.5f, in[i] * powf(10, in[i]));  //@ instructions=2000
  out[i] = in[i] * g * pitch(in[i]) + h;  //@ instructions=1000
}
