//@case {"kernel": "carrier"}
#define TWO_PI 6.28318531f
constexpr float TURN = 1.4629180792671596e-9f;
__global__ void carrier(const unsigned* __restrict__ step, const float* __restrict__ at, float* out, float rate, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int word = (int)(step[i] * 77u);
  const float turns = at[i] * rate;
  const float phase = TWO_PI * (turns - floorf(turns));
  float sum = sinf((float)word * TURN);  //@ instructions=4000
  sum += cosf(phase) + sinf(fmodf(at[i], 6.2831f)) / 3.0f;  //@ instructions=4000
  sum += sinf(at[i]) + cosf((float)(step[i] - 7u)) + sinf(0.5f * i);  //@ instructions=4000
  out[i] = sum;
}
