//@case {"kernel": "power", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": ["pcm", "out", {"value": "frames", "dtype": "int32"}, {"value": "length", "dtype": "int32"}]}}, "shapes": [{"sizes": {"frames": 16, "length": 200}}]}}
#define TWO_PI 6.2831853f
__global__ void power(const float* pcm, float* out, int length) {
  int bin = threadIdx.x;
  if (bin >= length) return;
  float re = 0.0f, im = 0.0f;
  for (int n = 0; n < length; ++n) {
    float w = 0.5f - 0.5f * cosf(TWO_PI * n / length); //@ instructions=90000
    float ph = TWO_PI * (float)((bin * n) % length) / length; //@ instructions=20000
    re += w * pcm[blockIdx.x * length + n] * cosf(ph); //@ instructions=90000
    im -= w * pcm[blockIdx.x * length + n] * sinf(ph); //@ instructions=90000
  }
  out[blockIdx.x * length + bin] = re * re + im * im;
}
void run(const float* pcm, float* out, int frames, int length) { power<<<frames, 256>>>(pcm, out, length); }
