#include <math.h>

// Asian call with a barrier: the mean of each path, dead when the path ever was above the barrier.
struct Option { float strike, barrier, rate, years; };

__global__ void payoffs(const float* __restrict__ S, float* __restrict__ pay, const Option opt, int paths, int steps)
{
  int p = threadIdx.x + blockDim.x * blockIdx.x;
  if (p < paths)
  {
    float total = 0.0f;
    float highest = -1e30f;
    for (int t = 0; t < steps; ++t)
    {
      float s = S[p * steps + t];
      total += s;
      highest = fmaxf(highest, s);
    }
    float mean = total / steps;
    float x = mean > opt.strike ? mean - opt.strike : 0.0f;
    pay[p] = highest > opt.barrier ? 0.0f : x * expf(-opt.rate * opt.years);
  }
}

void price(const float* S, float* pay, float strike, float barrier, int paths, int steps)
{
  Option opt;
  opt.strike = strike;
  opt.barrier = barrier;
  opt.rate = 0.03f;
  opt.years = 1.0f;
  int tpb = 64;
  int nb = (paths - 1) / tpb + 1;
  payoffs<<<nb, tpb>>>(S, pay, opt, paths, steps);
}
