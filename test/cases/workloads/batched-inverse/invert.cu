#include "mat3.cuh"

namespace geo {
namespace detail {

__global__ void invert_all(const Mat3* __restrict__ in, Mat3* __restrict__ out, bool* singular, unsigned count)
{
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  const Mat3 a = in[id];
  const real d = det(a);
  singular[id] = fabs(d) < 1e-12;
  const real s = singular[id] ? 0.0 : 1.0 / d;
  Mat3 r;
  r.m[0] = (a.m[4] * a.m[8] - a.m[5] * a.m[7]) * s;
  r.m[1] = (a.m[2] * a.m[7] - a.m[1] * a.m[8]) * s;
  r.m[2] = (a.m[1] * a.m[5] - a.m[2] * a.m[4]) * s;
  r.m[3] = (a.m[5] * a.m[6] - a.m[3] * a.m[8]) * s;
  r.m[4] = (a.m[0] * a.m[8] - a.m[2] * a.m[6]) * s;
  r.m[5] = (a.m[2] * a.m[3] - a.m[0] * a.m[5]) * s;
  r.m[6] = (a.m[3] * a.m[7] - a.m[4] * a.m[6]) * s;
  r.m[7] = (a.m[1] * a.m[6] - a.m[0] * a.m[7]) * s;
  r.m[8] = (a.m[0] * a.m[4] - a.m[1] * a.m[3]) * s;
  out[id] = r;
}

}  // namespace detail

void invert(const Mat3* in, Mat3* out, bool* singular, unsigned count)
{
  constexpr unsigned threads = 192;
  detail::invert_all<<<(count + threads - 1) / threads, threads>>>(in, out, singular, count);
}

}  // namespace geo
